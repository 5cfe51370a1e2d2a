import { readUpTo, type HeaderSource } from './limit-header-reads.ts'
import { UnsupportedHeader, rejectHeader } from './unsupported-header.ts'
import { readElement, readVariableInteger, type EbmlElement } from './ebml.ts'
import { MATROSKA_ID } from './matroska-ids.ts'
import type { MatroskaTrack } from './matroska-tracks.ts'

const MICROSECONDS_PER_SECOND = 1_000_000
/** Copies are cut at the first cue of every six seconds. */
const PIECE_MICROSECONDS = 6 * MICROSECONDS_PER_SECOND

/** Number of pieces, spread over the film, that are sampled for the rate of the tracks that are not sent. */
const SAMPLES = 3
/** Limit of walked pieces. Each takes some hundred reads in a film of high bit rate. */
const MAX_WALKED_PIECES = 12
/** Limit of elements between two cues. */
const MAX_ELEMENTS = 50_000
/** A track number takes up to eight bytes. */
const TRACK_NUMBER_BYTES = 8
/** A track number of one byte, a timestamp, and flags. */
const BLOCK_HEAD_BYTES = 4

/** The range from a cue to the next one. */
export type CueSpan = Readonly<{
  /** File position of the cue's cluster, and offset of its block from the content of the cluster. */
  cluster: number
  block: number
  /** File position of the next cue's block, or the end of the blocks after the last cue. Cluster headers, a few bytes, are ignored. */
  end: number
  /** Time on the clock of the file. */
  microseconds: number
  durationMicroseconds: number
}>

type Piece = { groups: number[]; durationMicroseconds: number; isWalked: boolean }

/**
 * Returns the bytes of the video and of the largest AAC track from each cue to the next: what a copy sends. Cues only show the bytes of
 * all tracks. If other tracks take bytes, the blocks of the piece with the highest rate are read, then of the next one, until no unread
 * piece can be larger. The others are reduced by the average of the other tracks. Unread pieces that may be larger are not reduced, so
 * that the peak is never underestimated.
 */
export function copiedBytesPerCue(source: HeaderSource, spans: readonly CueSpan[], tracks: CopiedTracks): number[] {
  const all = spans.map(({ cluster, block, end }) => Math.max(0, end - cluster - block))
  if (tracks.picture === undefined || !hasOthers(tracks)) return all
  const sent = [...all]
  const pieces = piecesOf(spans)
  const rate = (piece: Piece): number => sum(piece.groups, sent) / Math.max(1, piece.durationMicroseconds)
  const walk = (piece: Piece): void => {
    piece.isWalked = true
    for (const group of piece.groups) sent[group] = walkSpan(source, spans[group], tracks) ?? sent[group] ?? 0
  }
  for (const place of Array.from({ length: SAMPLES }, (_, sample) => ((sample + 0.5) * pieces.length) / SAMPLES)) {
    const piece = pieces[Math.floor(place)]
    if (piece?.isWalked === false) walk(piece)
  }
  for (let walked = SAMPLES; walked < MAX_WALKED_PIECES; walked += 1) {
    const largest = largestOf(pieces, rate)
    if (largest === undefined || largest.isWalked) break
    walk(largest)
  }
  const walkedPieces = pieces.filter(({ isWalked }) => isWalked)
  const peak = Math.max(...walkedPieces.map(rate))
  const groups = walkedPieces.flatMap((piece) => piece.groups)
  const lasts = walkedPieces.reduce((total, piece) => total + piece.durationMicroseconds, 0)
  const otherRate = (sum(groups, all) - sum(groups, sent)) / Math.max(1, lasts)
  for (const piece of pieces.filter((one) => !one.isWalked && rate(one) <= peak)) {
    for (const group of piece.groups) {
      const others = otherRate * (spans[group]?.durationMicroseconds ?? 0)
      sent[group] = Math.round(Math.max(0, (all[group] ?? 0) - others))
    }
  }
  return sent
}

/** Track numbers as used by blocks. */
export type CopiedTracks = Readonly<{
  picture: number | undefined
  copiedSounds: readonly number[]
  others: readonly number[]
}>

/** Selects the tracks that a copy sends: the video and one of the AAC tracks. Text tracks are negligible. */
export function selectCopiedTracks(tracks: readonly MatroskaTrack[], picture: MatroskaTrack): CopiedTracks {
  const sounds = tracks.filter(({ kind, codecId }) => kind === 'audio' && codecId.startsWith('A_AAC'))
  const others = tracks.filter(
    (track) => track !== picture && !sounds.includes(track) && !track.codecId.startsWith('S_TEXT'),
  )
  const numbers = (some: readonly MatroskaTrack[]): number[] => some.map(({ number }) => number)
  return { picture: picture.number, copiedSounds: numbers(sounds), others: numbers(others) }
}

function hasOthers({ copiedSounds, others }: CopiedTracks): boolean {
  return others.length > 0 || copiedSounds.length > 1
}

function piecesOf(spans: readonly CueSpan[]): Piece[] {
  const pieces: Piece[] = []
  const zero = spans[0]?.microseconds ?? 0
  let nominal = 0
  for (const [group, { microseconds, durationMicroseconds }] of spans.entries()) {
    if (microseconds - zero >= nominal) {
      pieces.push({ groups: [], durationMicroseconds: 0, isWalked: false })
      nominal = (Math.floor((microseconds - zero) / PIECE_MICROSECONDS) + 1) * PIECE_MICROSECONDS
    }
    const piece = pieces.at(-1)
    if (piece === undefined) continue
    piece.groups.push(group)
    piece.durationMicroseconds += durationMicroseconds
  }
  return pieces
}

function largestOf(pieces: readonly Piece[], rate: (piece: Piece) => number): Piece | undefined {
  let largest: Piece | undefined
  for (const piece of pieces) if (largest === undefined || rate(piece) > rate(largest)) largest = piece
  return largest
}

function sum(groups: readonly number[], bytes: readonly number[]): number {
  return groups.reduce((total, group) => total + (bytes[group] ?? 0), 0)
}

/** Returns undefined if the file is damaged, or too many reads would be needed. */
function walkSpan(source: HeaderSource, span: CueSpan | undefined, tracks: CopiedTracks): number | undefined {
  if (span === undefined) return undefined
  const bytes = new Map<number, number>()
  try {
    for (const { track, size } of blocksBetween(source, span)) bytes.set(track, (bytes.get(track) ?? 0) + size)
  } catch (error) {
    if (error instanceof UnsupportedHeader) return undefined
    throw error
  }
  const picture = bytes.get(tracks.picture ?? 0) ?? 0
  return picture + Math.max(0, ...tracks.copiedSounds.map((track) => bytes.get(track) ?? 0))
}

/** Yields the track and the size of each block (RFC 9559 5.1.3) without its content. */
function* blocksBetween(source: HeaderSource, span: CueSpan): Generator<{ track: number; size: number }> {
  const { cluster, block, end } = span
  let position = readElement(source, cluster).dataStart + block
  for (let count = 0; position < end; count += 1) {
    if (count >= MAX_ELEMENTS) rejectHeader('a cluster in too many parts')
    const element = readElement(source, position)
    if (element.id === MATROSKA_ID.Cluster || element.id === MATROSKA_ID.BlockGroup) {
      position = element.dataStart
      continue
    }
    if (element.size === Infinity) rejectHeader('a block of unknown size')
    if (element.id === MATROSKA_ID.SimpleBlock || element.id === MATROSKA_ID.Block) yield sizeOf(source, element)
    position = element.dataStart + element.size
  }
}

function sizeOf(source: HeaderSource, { dataStart, size }: EbmlElement): { track: number; size: number } {
  const { value } = readVariableInteger(readUpTo(source, dataStart, Math.min(size, TRACK_NUMBER_BYTES)), 0)
  return { track: value, size: Math.max(0, size - BLOCK_HEAD_BYTES) }
}
