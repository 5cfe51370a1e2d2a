import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { streamingErrors } from './errors.ts'
import { namesIn } from './job-directory.ts'
import { parseStreamFile } from './segment-name.ts'

const RETRY_AFTER_SECONDS = 3

type StoredSegment = { path: string; modifiedMilliseconds: number }

/**
 * Makes sure that so much disk space is free before a segment is written: otherwise the oldest segments of other jobs
 * are removed, one by one, until it is (document 2, segment serving rule 10). The same disk may hold the database,
 * which does not survive a full one.
 * @param input.freeBytes asks how much is free where `directory` lies
 * @throws AppError `disk_space_low`
 */
export async function ensureFreeSpace(input: {
  /** All job directories; made where it is missing. */
  directory: string
  /** The job that is being watched; its segments stay. */
  jobId: string
  floorBytes: number
  freeBytes: (directory: string) => Promise<number>
}): Promise<void> {
  const { directory, jobId, floorBytes, freeBytes } = input
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await freeBytes(directory)) >= floorBytes) return
  for (const segment of await listSegments(directory, jobId)) {
    await rm(segment.path, { force: true })
    if ((await freeBytes(directory)) >= floorBytes) return
  }
  throw diskSpaceLow()
}

/** The error of a full disk, whether foreseen or met while writing. */
export function diskSpaceLow(cause?: unknown): Error {
  return streamingErrors.disk_space_low({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

/** The segments of all jobs but one, oldest first. */
async function listSegments(directory: string, exceptJobId: string): Promise<StoredSegment[]> {
  const segments: StoredSegment[] = []
  for (const job of await namesIn(directory)) {
    if (job === exceptJobId) continue
    for (const name of await namesIn(join(directory, job))) {
      if (parseStreamFile(name)?.kind !== 'segment') continue
      const path = join(directory, job, name)
      // It may have gone meanwhile.
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined) segments.push({ path, modifiedMilliseconds: found.mtimeMs })
    }
  }
  return segments.toSorted((a, b) => a.modifiedMilliseconds - b.modifiedMilliseconds)
}
