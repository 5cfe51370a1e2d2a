import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openInsideRoot } from '../platform/files/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import { encodeArguments } from './encode-arguments.ts'
import { streamingErrors } from './errors.ts'
import type { VideoRendition } from './rendition.ts'
import { diskSpaceLow } from './segment-cache.ts'
import { findSegmentFault } from './segment-check.ts'
import { segmentName } from './segment-name.ts'
import { encodePlan, type StreamJob } from './stream-job.ts'

/** How far back the second try reads: some files have no index, or lie about their key frames. */
const WIDE_SEEK_MARGIN_SECONDS = 60

/** Encoders step back for the database and for answering requests. */
const NICENESS = 5

export type SegmentWork = Readonly<{
  plan: StreamJob
  rendition: VideoRendition
  index: number
  /** The job's directory, and the folder for drafts in it. */
  directory: string
  drafts: string
  timeoutSeconds: number
}>

type Services = { mediaTools: Pick<MediaTools, 'encode'> }

/**
 * Makes one segment by a process of its own and puts it into the job's directory under its name, checked, synced and in
 * one step: what is visible there is whole for ever. A fault is tried once more, reading from further back.
 * @returns the absolute path of the segment
 * @throws AppError `segment_failed`, `disk_space_low`, those of opening the source; the signal's reason when aborted
 */
export async function encodeSegment(services: Services, work: SegmentWork, signal: AbortSignal): Promise<string> {
  const { source } = work.plan
  // Only to be sure that the path still leads to a file of the library.
  await (await openInsideRoot(source.root, source.path)).close()
  const name = segmentName(work.rendition.id, work.index)
  const draft = join(work.drafts, name)
  const faults: string[] = []
  try {
    for (const marginSeconds of [source.seekMarginSeconds, WIDE_SEEK_MARGIN_SECONDS]) {
      const fault = await tryOnce(services, { work, draft, marginSeconds }, signal)
      if (fault === undefined) return await publish(draft, join(work.directory, name))
      faults.push(fault)
    }
    throw streamingErrors.segment_failed({ cause: new Error(faults.join('; ')) })
  } finally {
    await rm(draft, { force: true })
  }
}

type Try = { work: SegmentWork; draft: string; marginSeconds: number }

/** Writes the draft; undefined when it is good, else what is wrong with it. */
async function tryOnce(services: Services, { work, draft, marginSeconds }: Try, signal: AbortSignal) {
  const { plan, rendition, index, timeoutSeconds } = work
  const range = { first: index, last: index }
  const words = encodeArguments(encodePlan(plan, rendition), range, marginSeconds)
  const result = await services.mediaTools.encode(
    { input: plan.source.path, output: draft, ...words },
    { signal, timeoutSeconds, niceness: NICENESS },
  )
  signal.throwIfAborted()
  if (result.fault?.kind === 'disk_full') throw diskSpaceLow(new Error(result.fault.text))
  if (!result.isComplete) {
    const { outcome, exitCode, signal: killedBy, stderrTail } = result
    return `ffmpeg ${outcome} with ${exitCode ?? killedBy}: ${result.fault?.text ?? stderrTail.slice(-500).trim()}`
  }
  return findSegmentFault(await readFile(draft), { grid: plan.grid, index, hasAudio: rendition.audio !== 'none' })
}

/** Onto the disk first, then visible under its name. */
async function publish(draft: string, path: string): Promise<string> {
  await using handle = await open(draft, 'r+')
  await handle.sync()
  await rename(draft, path)
  return path
}
