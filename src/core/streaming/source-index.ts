import type { Connection } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools, PacketFacts } from '../platform/media-tools/index.ts'
import { correctFileSeconds } from '../catalogue/index.ts'
import type { ClockJump, ReaderPool, StreamIndex } from '../probing/index.ts'
import {
  findStreamIndex,
  saveStreamIndexes,
  selectUnindexed,
  selectUnindexedCount,
  type IndexWrite,
  type UnindexedItem,
} from './queries.ts'
import { findGaps, withoutJumps, withoutSound } from './clock-jumps.ts'
import { followClock, restarts } from './clock-restarts.ts'
import { isH264 } from './copy-rules.ts'
import { isRecording, isTransportStream } from './recordings.ts'
import type { SourceFile } from './source-file.ts'

type Services = {
  db: Connection
  log: Logger
  mediaTools: Pick<MediaTools, 'packets'>
  readers: ReaderPool
}

type Wanted = {
  itemId: string
  file: SourceFile
  streamIndex: number
  /** As the scan named it; null where it is not known. */
  container: string | null
  /** How long a file without tables may be read through; at some hundred megabytes a second. */
  timeoutSeconds: number
}

/**
 * The index of an item's picture: the stored one, else that of the container's tables, else that of every single
 * packet; stored then. Undefined where reading through the file takes too long: the backfill has more patience.
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
  // The scan only saw how far apart the first and the last time are.
  if (index.jumps.length > 0) await correctFileSeconds(services.db, { itemId, seconds: lengthSeconds(index) })
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
  const packets = await mediaTools.packets(file.path, { streamIndex, timeoutSeconds, signal })
  if (packets === undefined) log.notice({ itemId, timeoutSeconds }, 'reading through the file took too long')
  if (packets === undefined) return undefined
  if (!mayJump(packets)) return indexOfPackets(packets, streamIndex)
  const sound = await mediaTools.packets(file.path, { streamIndex: 'sound', timeoutSeconds, signal })
  return sound === undefined
    ? undefined
    : indexOfPackets(packets, streamIndex, { sound, isTransportStream: isTransportStream(container) })
}

/** Whether the sound is needed to tell how time goes on. Pure. */
export function mayJump(packets: readonly PacketFacts[]): boolean {
  return restarts(packets) || findGaps(packets).length > 0
}

/** How long the picture of an index lasts. */
export function lengthSeconds({ firstMicroseconds, endMicroseconds }: StreamIndex): number {
  return (endMicroseconds - firstMicroseconds) / 1_000_000
}

const NOTHING = {
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
 * Packets with times that go on, and the jumps that were taken out. Only in a transport stream can reading begin at any byte, so in others
 * a clock that restarts stays as it is.
 */
function withoutClockJumps(packets: readonly PacketFacts[], recording: Recording): Timed {
  const { sound } = recording
  if (restarts(packets))
    return (recording.isTransportStream ? followClock(packets, sound) : undefined) ?? { packets, jumps: [] }
  // No packets also means that the sound could not be read: then nothing says whether it goes on in the gaps.
  const jumps = sound.length === 0 ? [] : withoutSound(findGaps(packets), sound)
  const timed = packets.map((packet) => ({ ...packet, microseconds: withoutJumps(packet.microseconds, jumps) }))
  return { packets: timed, jumps }
}

type Recording = { sound: readonly PacketFacts[]; isTransportStream: boolean }

/**
 * What the packets of a picture say about it; without any it has no key frames, which is worth knowing too. Pure.
 * @param packets in the order of the file
 * @param recording needed where the clock may jump
 */
export function indexOfPackets(
  packets: readonly PacketFacts[],
  streamIndex: number,
  recording: Recording = { sound: [], isTransportStream: false },
): StreamIndex {
  const { packets: timed, jumps } = withoutClockJumps(packets, recording)
  const shown = timed.toSorted((a, b) => a.microseconds - b.microseconds)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return { ...NOTHING, streamIndex }
  const lengths = shown.slice(1).map((packet, place) => packet.microseconds - (shown[place]?.microseconds ?? 0))
  const groups = groupsOf(timed)
  const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? last.durationMicroseconds
  return {
    streamIndex,
    firstMicroseconds: first.microseconds,
    endMicroseconds: last.microseconds + (last.durationMicroseconds || usual),
    frameCount: packets.length,
    // Clocks of 1/90,000 s and of milliseconds round.
    hasConstantRate: lengths.every((length) => Math.abs(length - usual) <= 2000),
    keyFrameMicroseconds: groups.map(({ key }) => key.microseconds),
    keyFrameBytes: groups.map(({ key, bytes }, place) => Math.max(bytes, distance(key, groups[place + 1]?.key))),
    jumps,
  }
}

type Group = { key: PacketFacts; bytes: number }

/** Key frames in the order of showing, each with the bytes up to the next in the order of the file. */
function groupsOf(packets: readonly PacketFacts[]): Group[] {
  const groups: Group[] = []
  for (const packet of packets) {
    if (packet.isKey) groups.push({ key: packet, bytes: 0 })
    const group = groups.at(-1)
    if (group !== undefined) group.bytes += packet.bytes
  }
  return groups.toSorted((a, b) => a.key.microseconds - b.key.microseconds)
}

/** In bytes of the file, which hold the sound too; 0 where that is not known. */
function distance({ position }: PacketFacts, next: PacketFacts | undefined): number {
  return position === null || next === undefined || next.position === null ? 0 : next.position - position
}

/** Whether an index of a picture is of use: it may be copied, or its clock may jump. */
export function isIndexed({ videoCodec, container }: { videoCodec: string | null; container: string | null }): boolean {
  return isH264(videoCodec) || isRecording(container)
}

/** How many films of a library there are whose key frames nobody has looked for. */
export async function countUnindexed(connection: Connection, libraryId: string): Promise<number> {
  return selectUnindexedCount(connection, libraryId)
}

/** Some of them, in a stable order. */
export async function listUnindexed(
  connection: Connection,
  page: { libraryId: string; after: UnindexedItem | null; limit: number },
): Promise<UnindexedItem[]> {
  return selectUnindexed(connection, page)
}

/** Stores what a scan came by. */
export async function storeStreamIndexes(connection: Connection, writes: readonly IndexWrite[]): Promise<void> {
  if (writes.length > 0) await saveStreamIndexes(connection, writes)
}
