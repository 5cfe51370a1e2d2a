import type { Connection } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaTools, PacketFacts } from '../platform/media-tools/index.ts'
import type { ReaderPool, StreamIndex } from '../probing/index.ts'
import {
  findStreamIndex,
  saveStreamIndexes,
  selectUnindexed,
  selectUnindexedCount,
  type IndexWrite,
  type UnindexedItem,
} from './queries.ts'
import { isH264 } from './copy-rules.ts'
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
  if (index !== undefined) await saveStreamIndexes(services.db, [{ mediaItemId: itemId, ...file, index }])
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
  { itemId, file, streamIndex, timeoutSeconds }: Wanted,
  signal: AbortSignal | undefined,
): Promise<StreamIndex | undefined> {
  const packets = await mediaTools.packets(file.path, { streamIndex, timeoutSeconds, signal })
  if (packets === undefined) log.notice({ itemId, timeoutSeconds }, 'reading through the file took too long')
  return packets === undefined ? undefined : indexOfPackets(packets, streamIndex)
}

const NOTHING = {
  firstMicroseconds: 0,
  endMicroseconds: 0,
  frameCount: null,
  hasConstantRate: false,
  keyFrameMicroseconds: [],
}

/** What the packets of a picture say about it; without any it has no key frames, which is worth knowing too. Pure. */
export function indexOfPackets(packets: readonly PacketFacts[], streamIndex: number): StreamIndex {
  const shown = packets.toSorted((a, b) => a.microseconds - b.microseconds)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return { ...NOTHING, streamIndex }
  const lengths = shown.slice(1).map((packet, place) => packet.microseconds - (shown[place]?.microseconds ?? 0))
  const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? last.durationMicroseconds
  return {
    streamIndex,
    firstMicroseconds: first.microseconds,
    endMicroseconds: last.microseconds + (last.durationMicroseconds || usual),
    frameCount: packets.length,
    // Clocks of 1/90,000 s and of milliseconds round.
    hasConstantRate: lengths.every((length) => Math.abs(length - usual) <= 2000),
    keyFrameMicroseconds: shown.filter(({ isKey }) => isKey).map(({ microseconds }) => microseconds),
  }
}

/** Whether the key frames of a picture are of use: only such pictures are copied. */
export function isIndexed({ videoCodec }: { videoCodec: string | null }): boolean {
  return isH264(videoCodec)
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
