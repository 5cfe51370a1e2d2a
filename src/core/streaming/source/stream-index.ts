import type { Connection } from '../../platform/database/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { MediaTools, PacketFacts } from '../../platform/media-tools/index.ts'
import { correctFileSeconds } from '../../catalogue/index.ts'
import type { ClockJump, ReaderPool, StreamIndex } from '../../probing/index.ts'
import {
  findStreamIndex,
  saveStreamIndexes,
  selectUnindexedFilms,
  selectUnindexedFilmCount,
  type IndexWrite,
  type UnindexedItem,
} from './queries.ts'
import { findClockGaps, toContinuousMicroseconds, filterGapsWithoutAudio } from '../timeline/clock-jumps.ts'
import { makeClockContinuous, hasClockRestarts } from '../timeline/clock-restarts.ts'
import { isH264 } from '../ladder/copy-rules.ts'
import { isRecording, isTransportStream } from './recordings.ts'
import type { SourceFile } from './source-file.ts'

type Services = {
  db: Connection
  log: Logger
  mediaTools: Pick<MediaTools, 'listPackets'>
  readers: ReaderPool
}

type Wanted = {
  itemId: string
  file: SourceFile
  streamIndex: number
  /** Container format that the scan determined; null if unknown. */
  container: string | null
  /** Time limit for reading a whole file without tables, at some hundred megabytes per second. */
  timeoutSeconds: number
}

/**
 * Returns the index of an item's video. It is stored, or else read from the container's tables, or computed from all packets. A new index
 * is stored. Returns undefined if reading the file exceeds the time limit; the backfill has a longer time limit.
 * @throws AppError `tool_missing`; the signal's reason
 */
export async function ensureStreamIndex(
  services: Services,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<StreamIndex | undefined> {
  const { itemId, file, streamIndex } = wanted
  const stored = await findStreamIndex(services.db, { mediaItemId: itemId, file })
  if (stored?.streamIndex === streamIndex) return stored
  const index = (await readTables(services, wanted, signal)) ?? (await readThrough(services, wanted, signal))
  if (index === undefined) return undefined
  await saveStreamIndexes(services.db, [{ mediaItemId: itemId, ...file, index }])
  // The scan derived the duration from the first and the last timestamp only.
  if (index.jumps.length > 0)
    await correctFileSeconds(services.db, { itemId, seconds: streamIndexDurationSeconds(index) })
  return index
}

async function readTables(
  { readers, log }: Services,
  { itemId, file, streamIndex }: Wanted,
  signal: AbortSignal | undefined,
): Promise<StreamIndex | undefined> {
  const { root, path, sizeBytes } = file
  const reading = await readers.read({ root, path, sizeBytes, sidecars: [], as: 'index', streamIndex }, signal)
  if (reading.kind === 'read' && !reading.hasChanged) return reading.facts.index
  const reason = 'reason' in reading ? reading.reason : reading.kind
  log.debug({ itemId, reason }, 'the container does not tell the key frames')
  return undefined
}

async function readThrough(
  { mediaTools, log }: Services,
  { itemId, file, streamIndex, container, timeoutSeconds }: Wanted,
  signal: AbortSignal | undefined,
): Promise<StreamIndex | undefined> {
  const packets = await mediaTools.listPackets(file.path, { streamIndex, timeoutSeconds, signal })
  if (packets === undefined) log.notice({ itemId, timeoutSeconds }, 'reading through the file took too long')
  if (packets === undefined) return undefined
  if (!needsAudioTimestamps(packets)) return buildStreamIndex(packets, streamIndex)
  const sound = await mediaTools.listPackets(file.path, { streamIndex: 'sound', timeoutSeconds, signal })
  return sound === undefined
    ? undefined
    : buildStreamIndex(packets, streamIndex, { sound, isTransportStream: isTransportStream(container) })
}

/** Returns whether the audio is needed to interpret the video's timestamps. Pure. */
export function needsAudioTimestamps(packets: readonly PacketFacts[]): boolean {
  return hasClockRestarts(packets) || findClockGaps(packets).length > 0
}

/** Returns the duration of an index's video. */
export function streamIndexDurationSeconds({ firstMicroseconds, endMicroseconds }: StreamIndex): number {
  return (endMicroseconds - firstMicroseconds) / 1_000_000
}

const EMPTY_INDEX = {
  firstMicroseconds: 0,
  endMicroseconds: 0,
  frameCount: null,
  hasConstantRate: false,
  keyFrameMicroseconds: [],
  jumps: [],
  keyFrameBytes: [],
}

type Timed = { packets: readonly PacketFacts[]; jumps: readonly ClockJump[] }

/**
 * Returns the packets with continuous timestamps, and the removed jumps. Reading can begin at any byte only in a transport stream, so a
 * restarting clock in other containers is left unchanged.
 */
function withoutClockJumps(packets: readonly PacketFacts[], recording: Recording): Timed {
  const { sound } = recording
  if (hasClockRestarts(packets))
    return (recording.isTransportStream ? makeClockContinuous(packets, sound) : undefined) ?? { packets, jumps: [] }
  // No packets may also mean that the audio could not be read. Then it is unknown whether audio continues in the gaps.
  const jumps = sound.length === 0 ? [] : filterGapsWithoutAudio(findClockGaps(packets), sound)
  const timed = packets.map((packet) => ({
    ...packet,
    microseconds: toContinuousMicroseconds(packet.microseconds, jumps),
  }))
  return { packets: timed, jumps }
}

type Recording = { sound: readonly PacketFacts[]; isTransportStream: boolean }

/**
 * Returns the index that follows from the packets of a video. Without packets it has no key frames, and the empty result is stored too.
 * Pure.
 * @param packets in file order
 * @param recording required if the clock may jump
 */
export function buildStreamIndex(
  packets: readonly PacketFacts[],
  streamIndex: number,
  recording: Recording = { sound: [], isTransportStream: false },
): StreamIndex {
  const { packets: timed, jumps } = withoutClockJumps(packets, recording)
  const shown = timed.toSorted((a, b) => a.microseconds - b.microseconds)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return { ...EMPTY_INDEX, streamIndex }
  const lengths = shown.slice(1).map((packet, index) => packet.microseconds - (shown[index]?.microseconds ?? 0))
  const groups = groupsOf(timed)
  const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? last.durationMicroseconds
  return {
    streamIndex,
    firstMicroseconds: first.microseconds,
    endMicroseconds: last.microseconds + (last.durationMicroseconds || usual),
    frameCount: packets.length,
    // Clocks of 1/90,000 s and of milliseconds cause rounding.
    hasConstantRate: lengths.every((length) => Math.abs(length - usual) <= 2000),
    keyFrameMicroseconds: groups.map(({ key }) => key.microseconds),
    keyFrameBytes: groups.map(({ key, bytes }, index) => Math.max(bytes, distance(key, groups[index + 1]?.key))),
    jumps,
  }
}

type Group = { key: PacketFacts; bytes: number }

/** Returns key frames in presentation order, each with the number of bytes up to the next one in file order. */
function groupsOf(packets: readonly PacketFacts[]): Group[] {
  const groups: Group[] = []
  for (const packet of packets) {
    if (packet.isKey) groups.push({ key: packet, bytes: 0 })
    const group = groups.at(-1)
    if (group !== undefined) group.bytes += packet.bytes
  }
  return groups.toSorted((a, b) => a.key.microseconds - b.key.microseconds)
}

/** Returns the distance in bytes of the file, which includes audio; 0 if unknown. */
function distance({ position }: PacketFacts, next: PacketFacts | undefined): number {
  return position === null || next === undefined || next.position === null ? 0 : next.position - position
}

/** Returns whether an index of a video is useful: it may be copied, or its clock may jump. */
export function needsStreamIndex({
  videoCodec,
  container,
}: {
  videoCodec: string | null
  container: string | null
}): boolean {
  return isH264(videoCodec) || isRecording(container)
}

/** Returns the number of a library's films without a stored index. */
export async function countUnindexedFilms(connection: Connection, libraryId: string): Promise<number> {
  return selectUnindexedFilmCount(connection, libraryId)
}

/** Returns a page of the films without a stored index, in a stable order. */
export async function listUnindexedFilms(
  connection: Connection,
  page: { libraryId: string; after: UnindexedItem | null; limit: number },
): Promise<UnindexedItem[]> {
  return selectUnindexedFilms(connection, page)
}

/** Stores the indexes that a scan found. */
export async function storeStreamIndexes(connection: Connection, writes: readonly IndexWrite[]): Promise<void> {
  if (writes.length > 0) await saveStreamIndexes(connection, writes)
}
