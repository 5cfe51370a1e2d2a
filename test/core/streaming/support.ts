import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import type { MediaStream } from '../../../src/core/catalogue/index.ts'
import { probeFile, type ProbedStream, type StreamIndex } from '../../../src/core/probing/index.ts'
import { resolveDeviceProfile } from '../../../src/core/streaming/job/device-profiles.ts'
import { planAudio } from '../../../src/core/streaming/plan/plan-audio.ts'
import { choosePlayedAudioTrack } from '../../../src/core/streaming/source/played-audio-track.ts'
import { planStream } from '../../../src/core/streaming/plan/plan-stream.ts'
import { buildStreamIndex, needsAudioTimestamps } from '../../../src/core/streaming/source/stream-index.ts'
import { loadFilmSource } from '../../../src/core/streaming/source/film-source.ts'
import type { StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { readTransportPackets, type ProbedPacket } from './transport-packets.ts'

let madeTools: Promise<MediaTools> | undefined

/** The real tools of this machine; one object per process, because each one would examine the restrictions of the system. */
export function realMediaTools(): Promise<MediaTools> {
  madeTools ??= makeMediaTools()
  return madeTools
}

async function makeMediaTools(): Promise<MediaTools> {
  const config = loadConfig({ environment: {} })
  return createMediaTools({ config, log: await createLogger(config, { level: 'critical' }) })
}

/** Returns the plan of a job for a file, made from the file itself; the index is derived from its packets unless one is given. */
export async function planFor(
  path: string,
  profile = 'mobile-low',
  known?: StreamIndex,
  burnedStream: number | null = null,
): Promise<StreamPlan> {
  const { source, durationSeconds, container, streams } = await probeFile({ mediaTools: await realMediaTools() }, path)
  const film = loadFilmSource({ metadata: { source }, fileSeconds: durationSeconds, container })
  if (film === undefined) throw new Error('the file has no picture')
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const file = { path, root: dirname(path), sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
  return planStream(film, {
    file,
    profile: resolveDeviceProfile({ profile }),
    streams: streams.map(storedStream),
    subtitles: [],
    mapsTones: true,
    burnedStream,
    index: known ?? (await indexOf(path, film.videoStreamIndex)),
  })
}

/** Returns the plan of a job for an audio-only file. */
export async function soundPlanFor(path: string): Promise<StreamPlan> {
  const { durationSeconds, container, streams } = await probeFile({ mediaTools: await realMediaTools() }, path)
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const file = { path, root: dirname(path), sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
  const stored = streams.map(storedStream)
  const played = choosePlayedAudioTrack(stored, { film: undefined, language: null })
  return planAudio({ fileSeconds: durationSeconds, container, streams: stored }, { file, played, subtitles: [] })
}

/** A stream as the catalogue returns it. */
function storedStream(stream: ProbedStream): MediaStream {
  const { index, type, codec, language, title, bitrate, width, height, channels, isDefault, ...details } = stream
  const columns = { index, type, codec, language, title, bitrate, width, height, channels, isDefault, details }
  return { id: '', mediaItemId: '', ...columns }
}

async function indexOf(path: string, streamIndex: number): Promise<StreamIndex> {
  const tools = await realMediaTools()
  const packets = await tools.listPackets(path, { streamIndex, timeoutSeconds: 60 })
  const isSoundNeeded = needsAudioTimestamps(packets ?? [])
  const sound = isSoundNeeded ? await tools.listPackets(path, { streamIndex: 'sound', timeoutSeconds: 60 }) : []
  return buildStreamIndex(packets ?? [], streamIndex, { sound: sound ?? [], isTransportStream: path.endsWith('.ts') })
}

/** All packets of a file in file order, read by our own parser of the tests from a transport stream, and by ffprobe from other files. */
export async function packetsOf(path: string): Promise<ProbedPacket[]> {
  if (!path.endsWith('.ts')) return probedPacketsOf(path)
  return readTransportPackets(await readFile(path)).map(({ packet }) => packet)
}

/**
 * Returns the packets of several transport streams, read from their concatenation, which is written to `joined`. A packet belongs to the
 * piece in which it begins.
 */
export async function packetsOfPieces(pieces: readonly string[], joined: string): Promise<ProbedPacket[][]> {
  const contents = await Promise.all(pieces.map((piece) => readFile(piece)))
  const whole = Buffer.concat(contents)
  await writeFile(joined, whole)
  const ends: number[] = []
  for (const { length } of contents) ends.push((ends.at(-1) ?? 0) + length)
  const packets = readTransportPackets(whole)
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0
    return packets.filter(({ position }) => position >= start && position < end).map(({ packet }) => packet)
  })
}

/** All packets of a file in file order, read by ffprobe. */
export async function probedPacketsOf(path: string): Promise<ProbedPacket[]> {
  const entries = 'stream=index,time_base:packet=codec_type,stream_index,pts,dts,flags'
  const words = ['-v', 'error', '-show_entries', entries, '-of', 'json', path]
  const { stdout } = await promisify(execFile)('ffprobe', words, { maxBuffer: 1 << 28 })
  const { packets, streams } = JSON.parse(stdout) as {
    packets: { codec_type: 'video' | 'audio'; stream_index: number; pts: number; dts: number; flags: string }[]
    streams: { index: number; time_base: string }[]
  }
  const ticks = (stream: number, time: number): number => {
    const base = streams.find(({ index }) => index === stream)?.time_base ?? '1/90000'
    const [numerator = 1, denominator = 1] = base.split('/').map(Number)
    return Math.round((time * 90_000 * numerator) / denominator)
  }
  return packets.map(({ codec_type: kind, stream_index, pts, dts, flags }) => {
    return { kind, pts: ticks(stream_index, pts), dts: ticks(stream_index, dts), isKey: flags.startsWith('K') }
  })
}

/** Returns the number of discontinuities in the continuity counters of a transport stream (ISO 13818-1, 2.4.3.3). */
export function continuityErrors(bytes: Uint8Array): number {
  const counters = new Map<number, number>()
  let errors = 0
  for (let at = 0; at < bytes.length; at += 188) {
    const pid = (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)
    const control = bytes[at + 3] ?? 0
    const before = counters.get(pid)
    const expected = before === undefined ? control & 0x0f : (before + ((control >>> 4) & 1)) % 16
    if (bytes[at] !== 0x47 || (control & 0x0f) !== expected) errors += 1
    counters.set(pid, control & 0x0f)
  }
  return errors
}

/** Returns the mean volume of a file's audio, in decibels below full scale. */
export async function meanVolume(path: string): Promise<number> {
  const words = ['-hide_banner', '-nostdin', '-i', path, '-map', '0:a', '-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = await promisify(execFile)('ffmpeg', words)
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1])
}

/** Runs the ffmpeg of this machine with the given arguments. */
export async function ffmpeg(...words: string[]): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...words])
}
