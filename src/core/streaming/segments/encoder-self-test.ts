import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { SegmentCache } from '../cache/segment-cache.ts'
import { EncoderPool } from '../encoder/encoder-pool.ts'
import { Semaphore } from '../../platform/concurrency/index.ts'
import { planClip } from '../plan/plan-clip.ts'
import { writeFileAtomically } from '../job/job-directory.ts'
import type { VideoRendition } from '../job/rendition.ts'
import { segmentName } from '../job/segment-name.ts'

const NAME = 'encoder-test.json'
const Stored = z.strictObject({ version: z.string(), fault: z.string().nullable() })

/** Length of the clip: two segments and a part of a third. */
const CLIP_SECONDS = 13

const START_MILLISECONDS = 30_000

/** The result is not urgent, and on a new machine the test runs while the first library is scanned. */
const NICENESS = 19

type Services = {
  config: Config
  log: Logger
  clock: Clock
  mediaTools: Pick<MediaTools, 'makeClip' | 'startSegmenter' | 'version'>
}

/**
 * Tests whether this machine's ffmpeg makes segments that join. The arguments depend on ffmpeg's internal timestamps, which may change
 * between releases. Three segments of a short clip are made out of order and checked like all segments. The result is stored per version of
 * ffmpeg.
 * @returns a description of the fault, or null
 * @throws AppError `tool_missing`, `tool_failed`; the signal's reason when aborted
 */
export async function runEncoderSelfTest(services: Services, signal: AbortSignal): Promise<string | null> {
  const folder = join(services.config.dataDirectory, 'cache')
  const { text: version } = await services.mediaTools.version('ffmpeg')
  const stored = await readStored(folder)
  if (stored?.version === version) return stored.fault
  const directory = join(folder, `.encoder-test-${randomUUID()}`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    const fault = await makeAll(services, directory, signal)
    await writeFileAtomically(folder, { name: NAME, text: JSON.stringify({ version, fault }) })
    return fault
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Runs the test in the background after start-up and logs an error if it fails. Segments that do not join are rejected in any case. */
export function scheduleEncoderSelfTest(services: Services): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let testing = Promise.resolve()
  const test = async (): Promise<void> => {
    try {
      const reason = await runEncoderSelfTest(services, stopping.signal)
      if (reason !== null) services.log.error({ reason }, 'this ffmpeg does not make segments that join')
    } catch (error) {
      if (!stopping.signal.aborted) services.log.warning({ reason: describeError(error) }, 'testing ffmpeg failed')
    }
  }
  const timer = setTimeout(() => {
    testing = test()
  }, START_MILLISECONDS).unref()
  return {
    async stop() {
      clearTimeout(timer)
      stopping.abort(new Error('the daemon stops'))
      await testing
    },
  }
}

async function readStored(folder: string): Promise<z.infer<typeof Stored> | undefined> {
  try {
    return Stored.safeParse(JSON.parse(await readFile(join(folder, NAME), 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Makes three segments out of order: the first by one encoder, the others by a second encoder that continues. */
async function makeAll(
  { clock, mediaTools }: Services,
  directory: string,
  signal: AbortSignal,
): Promise<string | null> {
  const clip = join(directory, 'clip.mp4')
  await mediaTools.makeClip(clip, { durationSeconds: CLIP_SECONDS, size: RUNG, niceness: NICENESS })
  const plan = await planClip(clip, { durationSeconds: CLIP_SECONDS, renditions: [RUNG] })
  const startSegmenter: MediaTools['startSegmenter'] = (what, options) =>
    mediaTools.startSegmenter(what, { ...options, niceness: NICENESS })
  const pool = new EncoderPool(
    {
      mediaTools: { startSegmenter },
      clock,
      slots: new Semaphore({ permits: 1 }),
      cache: new SegmentCache({ clock, freeBytes: freeSpaceBytes }, { directory, floorBytes: 0 }),
    },
    { encodersPerRendition: 2, suspendedEncoders: 2, ...LONG },
  )
  try {
    for (const index of [2, 0, 1]) {
      const path = join(directory, segmentName(RUNG.id, index))
      const job = { directory, plan, hasLadder: true }
      await pool.make({ job, jobId: 'encoder-test', rendition: RUNG, index, path }, signal)
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    return describeError(error instanceof AppError ? (error.cause ?? error) : error)
  } finally {
    await pool.close()
  }
}

/** A process of the lowest priority may get no processor time for minutes, which is not a fault of ffmpeg. */
const LONG = { idleMilliseconds: 600_000, stalledMilliseconds: 600_000, runningMilliseconds: 600_000 }

const RUNG: VideoRendition = {
  kind: 'video',
  id: '90p',
  label: '90p',
  width: 160,
  height: 90,
  bitrate: 400_000,
  averageBitrate: null,
  videoBitrate: 200_000,
  codecs: 'avc1.64000A,mp4a.40.2',
  isOriginal: false,
  isCopy: false,
  audio: 'encode',
}
