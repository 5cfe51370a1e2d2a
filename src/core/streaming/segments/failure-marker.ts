import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../job/job-directory.ts'

const Marker = z.strictObject({
  rendition: z.string(),
  index: z.int().nonnegative(),
  reason: z.string(),
  at: z.string(),
})

/** The failure file that is stored beside the segments when one could not be made. */
export type FailureMarker = Readonly<z.infer<typeof Marker>>

const NAME = '.failure.json'
const MAX_REASON_LENGTH = 2000

/** Writes the marker so that other processes see the failure. Write errors are ignored, because the directory may have been removed. */
export async function markSegmentFailure(directory: string, marker: FailureMarker): Promise<void> {
  const text = JSON.stringify({ ...marker, reason: marker.reason.slice(0, MAX_REASON_LENGTH) })
  await writeFileAtomically(directory, { name: NAME, text }).catch(() => {})
}

/** Removes the marker after a segment has been made. */
export async function clearSegmentFailure(directory: string): Promise<void> {
  await rm(join(directory, NAME), { force: true })
}

/** Returns the last failure of a job, or undefined if a segment has been made since. */
export async function readSegmentFailure(directory: string): Promise<FailureMarker | undefined> {
  try {
    return Marker.safeParse(JSON.parse(await readFile(join(directory, NAME), 'utf8'))).data
  } catch {
    return undefined
  }
}
