import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from './job-directory.ts'

const Marker = z.strictObject({
  rendition: z.string(),
  index: z.int().nonnegative(),
  reason: z.string(),
  at: z.string(),
})

/** What is left beside the segments when one could not be made. */
export type FailureMarker = Readonly<z.infer<typeof Marker>>

const NAME = '.failure.json'
const MAX_REASON_LENGTH = 2000

/** Leaves the marker, so that other processes know too; a job whose directory is gone needs none. */
export async function markFailure(directory: string, marker: FailureMarker): Promise<void> {
  const text = JSON.stringify({ ...marker, reason: marker.reason.slice(0, MAX_REASON_LENGTH) })
  await writeWhole(directory, { name: NAME, text }).catch(() => {})
}

/** Takes it away: a segment has been made since. */
export async function clearFailure(directory: string): Promise<void> {
  await rm(join(directory, NAME), { force: true })
}

/** The last failure of a job, unless a segment has been made since. */
export async function readFailure(directory: string): Promise<FailureMarker | undefined> {
  try {
    return Marker.safeParse(JSON.parse(await readFile(join(directory, NAME), 'utf8'))).data
  } catch {
    return undefined
  }
}
