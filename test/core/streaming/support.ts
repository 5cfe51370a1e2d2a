import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { probeFile } from '../../../src/core/probing/index.ts'
import { resolveDeviceProfile } from '../../../src/core/streaming/device-profiles.ts'
import { encodeArguments, type SegmentRange } from '../../../src/core/streaming/encode-arguments.ts'
import { planStream } from '../../../src/core/streaming/plan-stream.ts'
import { requireFilmSource } from '../../../src/core/streaming/source-profile.ts'
import { encodePlan, type StreamJob } from '../../../src/core/streaming/stream-job.ts'

/** The real tools of this machine. */
export async function realMediaTools(): Promise<MediaTools> {
  const config = loadConfig({ environment: {} })
  return createMediaTools({ config, log: await createLogger(config, { level: 'critical' }) })
}

/** The plan that a job for a file would have, made from the file itself. */
export async function planFor(path: string, profile = 'mobile-low'): Promise<StreamJob> {
  const { source, durationSeconds, container } = await probeFile({ mediaTools: await realMediaTools() }, path)
  const film = requireFilmSource({ metadata: { source }, durationSeconds, container })
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const file = { path, root: dirname(path), sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
  return planStream(film, { file, profile: resolveDeviceProfile({ profile }) })
}

/** Makes the segments of a range as one file, by a process of its own. */
export async function encodeRange(
  mediaTools: MediaTools,
  plan: StreamJob,
  { range, output }: { range: SegmentRange; output: string },
): Promise<void> {
  const rendition = plan.renditions[0]
  if (rendition?.kind !== 'video') throw new Error('the plan has no rendition')
  const words = encodeArguments(encodePlan(plan, rendition), range, plan.source.seekMarginSeconds)
  const result = await mediaTools.encode({ input: plan.source.path, output, ...words }, { timeoutSeconds: 120 })
  if (!result.isComplete) throw new Error(`${result.outcome} ${result.exitCode}: ${result.stderrTail}`)
}

/** A packet as ffprobe sees it, in ticks of 1/90,000 s. */
export type ProbedPacket = { kind: 'video' | 'audio'; pts: number; dts: number; isKey: boolean }

/** All packets of a file in file order, read by ffprobe and not by our own reader. */
export async function packetsOf(path: string): Promise<ProbedPacket[]> {
  const words = ['-v', 'error', '-show_entries', 'packet=codec_type,pts,dts,flags', '-of', 'json', path]
  const { stdout } = await promisify(execFile)('ffprobe', words, { maxBuffer: 1 << 28 })
  const { packets } = JSON.parse(stdout) as {
    packets: { codec_type: 'video' | 'audio'; pts: number; dts: number; flags: string }[]
  }
  return packets.map(({ codec_type: kind, pts, dts, flags }) => ({ kind, pts, dts, isKey: flags.startsWith('K') }))
}

/** Runs the ffmpeg of this machine with words of a test's own. */
export async function ffmpeg(...words: string[]): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...words])
}
