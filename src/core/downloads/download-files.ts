import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../platform/config/index.ts'
import { systemErrorCode } from '../platform/errors/index.ts'

type DataDirectory = Pick<Config, 'dataDirectory'>

/** The folder of all downloads: `cache/downloads` of the data directory. */
export function downloadsDirectory({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'cache', 'downloads')
}

/** The files of a download: the file itself, and those with which it is made. */
export type DownloadFiles = Readonly<{
  /** The finished film. It appears by a rename. */
  film: string
  /** The film while it is written. */
  unfinished: string
  /** The segments so far, one after the other. */
  segments: string
  /** Which segments these are. */
  state: string
}>

export function downloadFiles(config: DataDirectory, id: string): DownloadFiles {
  const start = join(downloadsDirectory(config), id)
  return {
    film: `${start}.mp4`,
    unfinished: `${start}.unfinished.mp4`,
    segments: `${start}.ts`,
    state: `${start}.json`,
  }
}

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:mp4|unfinished\.mp4|ts|json|json\.new)$/

/** The id in the name of a file of a download; undefined for other files. */
export function parseDownloadId(name: string): string | undefined {
  return NAME.exec(name)?.[1]
}

/** The segments of a job that are in the file of segments. */
export type WrittenSegments = z.infer<typeof WrittenSegments>
const WrittenSegments = z.strictObject({
  jobId: z.string(),
  count: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
})

/**
 * The segments that are there after an interruption, for the given job; none for those of another job. Bytes of a segment that was not written
 * completely are removed.
 */
export async function resumeSegments({ segments, state }: DownloadFiles, jobId: string): Promise<WrittenSegments> {
  const known = await readState(state)
  const size = await fileSizeOrZero(segments)
  if (known?.jobId === jobId && size >= known.bytes) {
    await truncate(segments, known.bytes)
    return known
  }
  await mkdir(join(segments, '..'), { recursive: true, mode: 0o700 })
  await writeFile(segments, '', { mode: 0o600 })
  return { jobId, count: 0, bytes: 0 }
}

/** Stores which segments are in the file. */
export async function writeSegmentsState({ state }: DownloadFiles, so: WrittenSegments): Promise<void> {
  await writeFile(`${state}.new`, JSON.stringify(so), { mode: 0o600 })
  await rename(`${state}.new`, state)
}

async function readState(path: string): Promise<WrittenSegments | undefined> {
  try {
    return WrittenSegments.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Removes what is only needed to make the film. */
export async function removeIntermediateFiles({ unfinished, segments, state }: DownloadFiles): Promise<void> {
  for (const path of [unfinished, segments, state, `${state}.new`]) await rm(path, { force: true })
}

/** Removes all files of a download. */
export async function removeDownloadFiles(files: DownloadFiles): Promise<void> {
  await rm(files.film, { force: true })
  await removeIntermediateFiles(files)
}

/** The size of a file; 0 if there is none. */
export async function fileSizeOrZero(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

/** A file of a download. `modifiedAt` in milliseconds since 1970. */
export type DownloadFile = { id: string; path: string; bytes: number; modifiedAt: number }

/** All files of all downloads on the disk. */
export async function listDownloadFiles(config: DataDirectory): Promise<DownloadFile[]> {
  const folder = downloadsDirectory(config)
  const files: DownloadFile[] = []
  for (const name of await namesIn(folder)) {
    const id = parseDownloadId(name)
    const path = join(folder, name)
    const found = id === undefined ? undefined : await stat(path).catch(() => undefined)
    if (id !== undefined && found !== undefined) files.push({ id, path, bytes: found.size, modifiedAt: found.mtimeMs })
  }
  return files
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  }
}
