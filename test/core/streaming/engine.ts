import { join } from 'node:path'
import type { Test } from 'tap'
import type { MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { encodeArguments } from '../../../src/core/streaming/encoder/encode-arguments.ts'
import { EncoderPool, type EncoderPoolLimits } from '../../../src/core/streaming/encoder/encoder-pool.ts'
import { Semaphore } from '../../../src/core/platform/concurrency/index.ts'
import { renditionSegmentCount } from '../../../src/core/streaming/timeline/rendition-segments.ts'
import type { Rendition } from '../../../src/core/streaming/job/rendition.ts'
import { segmentName } from '../../../src/core/streaming/job/segment-name.ts'
import type { StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { realMediaTools } from './support.ts'

const LIMITS: EncoderPoolLimits = {
  encodersPerRendition: 2,
  suspendedEncoders: 4,
  idleMilliseconds: 3_600_000,
  stalledMilliseconds: 3_600_000,
  runningMilliseconds: 3_600_000,
}

const never = new AbortController().signal

/** Encodes the segments of one job in a directory, without a database or a server. */
export async function engine(
  t: Test,
  job: StreamPlan,
  limits: Partial<EncoderPoolLimits> = {},
  directory = reachableDirectory(t),
) {
  const mediaTools = await realMediaTools()
  const starts: string[] = []
  const counted: Pick<MediaTools, 'startSegmenter'> = {
    startSegmenter(what, options) {
      starts.push(what.after.join(' '))
      return mediaTools.startSegmenter(what, options)
    },
  }
  const encoders = new EncoderPool(
    {
      mediaTools: counted,
      clock: systemClock,
      slots: new Semaphore({ permits: 4 }),
      cache: { ensureFreeSpace: () => Promise.resolve() },
    },
    { ...LIMITS, ...limits },
  )
  t.teardown(() => encoders.close())
  const path = (id: string, index: number): string => join(directory, segmentName(id, index))
  const make = async (id: string, index: number): Promise<string> => {
    const wanted = {
      job: { directory, plan: job, hasLadder: true },
      jobId: 'job',
      rendition: renditionOf(job, id),
      index,
    }
    await encoders.make({ ...wanted, path: path(id, index) }, never)
    return path(id, index)
  }
  return {
    encoders,
    make,
    path,
    directory,
    starts,
    count: (id: string) => renditionSegmentCount(job, renditionOf(job, id)),
  }
}

export function renditionOf(job: StreamPlan, id: string): Rendition {
  const rendition = job.renditions.find((one) => one.id === id)
  if (rendition === undefined) throw new Error(`the job has no rendition ${id}`)
  return rendition
}

/** All segments of an encoded rendition as one file, made by one continuous process: the reference for joined segments. */
export async function straightRun(job: StreamPlan, id: string, output: string): Promise<string> {
  const rendition = renditionOf(job, id)
  const range = { first: 0, last: renditionSegmentCount(job, rendition) - 1 }
  const { before, after } = encodeArguments({ job, rendition, range, seekMarginSeconds: 0.5 })
  const tools = await realMediaTools()
  const words = { input: job.source.path, output, before, after: [...after, '-f', 'mpegts'] }
  const result = await tools.encode(words, { timeoutSeconds: 300 })
  if (!result.isComplete) throw new Error(`${result.outcome} ${result.exitCode}: ${result.stderrTail}`)
  return output
}

/** Last first, then from the middle outwards, with neighbours between: an order that needs both continuing and single encoders. */
export function shuffled(count: number): number[] {
  const far = Array.from({ length: count }, (_, index) => (index * 2 + 1) % count).toReversed()
  return [
    ...new Set([
      ...far.flatMap((index) => (index % 3 === 0 && index + 1 < count ? [index, index + 1] : [index])),
      ...Array.from({ length: count }, (_, index) => index),
    ]),
  ]
}
