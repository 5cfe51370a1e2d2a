import type { Test } from 'tap'
import type { MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { jobDirectory } from '../../../src/core/streaming/job-directory.ts'
import { SegmentServer, type SegmentLimits } from '../../../src/core/streaming/segment-server.ts'
import { startTranscode } from '../../../src/core/streaming/start-transcode.ts'
import { sampleMedia, type SampleKind } from '../../support/media.ts'
import { addFilm, streamingServices } from './film-item.ts'

export type Encode = MediaTools['encode']
type Setup = {
  kind?: SampleKind
  flags?: Record<string, string>
  limits?: Partial<SegmentLimits>
  /** Stands between the server and the real encoder. */
  around?: (encode: Encode) => Encode
}

/** A server over a started job, the real encoder behind a counter. */
export async function serve(t: Test, { kind = 'film-mkv', flags, limits, around = (encode) => encode }: Setup = {}) {
  const services = await streamingServices(t, flags)
  const { itemId, path } = await addFilm(t, services, await sampleMedia(kind))
  const { job } = await startTranscode(services, { itemId })
  const counts = { encodes: 0, running: 0, most: 0 }
  const outcomes: string[] = []
  const encode = around((what, options) => services.mediaTools.encode(what, options))
  const counted: Encode = async (what, options) => {
    counts.encodes += 1
    counts.running += 1
    counts.most = Math.max(counts.most, counts.running)
    try {
      const result = await encode(what, options)
      outcomes.push(result.outcome)
      return result
    } finally {
      counts.running -= 1
    }
  }
  const server = new SegmentServer({ ...services, mediaTools: { encode: counted } }, limits)
  t.teardown(() => server.close())
  const directory = jobDirectory(services.config, job.id)
  const rendition = job.variants?.[0]?.id ?? ''
  const ask = (index: number, signal?: AbortSignal) => server.segment({ jobId: job.id, rendition, index }, signal)
  return { services, server, job, directory, source: path, rendition, ask, counts, outcomes }
}
