import { iterateBoxes, childBoxesByType, readFullBoxHeader, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { decodeUtf8 } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'
import { decodeIsoLanguage } from './iso-language.ts'

const HEADER_BYTES = 256
const MAX_EDITS = 64

/** Duration in units of the movie's timescale, start in the track's. A negative start is a delay. */
export type EditListEntry = { duration: number; mediaTime: number }

/** A track box (ISO/IEC 14496-12 8.3 to 8.6), without the contents of its tables. */
export type IsoTrack = {
  id: number
  isEnabled: boolean
  /** Degrees counterclockwise, as in ffprobe; undefined without rotation. */
  rotation: number | undefined
  shownWidth: number
  shownHeight: number
  edits: EditListEntry[]
  chapterTracks: number[]
  timescale: number
  duration: number
  language: string | undefined
  handler: string
  tables: ReadonlyMap<string, Box>
}

/** Reads a box `trak`. @throws UnsupportedHeader if it lacks a part, or has another playback speed */
export function readTrack(source: HeaderSource, box: Box): IsoTrack {
  const parts = childBoxesByType(source, box)
  const media = childBoxesByType(source, need(parts.get('mdia')))
  const tables = childBoxesByType(source, need(childBoxesByType(source, need(media.get('minf'))).get('stbl')))
  const clock = readMediaHeader(source, need(media.get('mdhd')))
  const extended = media.get('elng')
  const handler = readBoxContent(source, need(media.get('hdlr')), HEADER_BYTES)
  handler.skip(8)
  return {
    ...readTrackHeader(source, need(parts.get('tkhd'))),
    ...clock,
    language: clock.language ?? (extended && decodeUtf8(readBoxContent(source, extended, 64).bytes.subarray(4))),
    edits: readEdits(source, parts.get('edts')),
    chapterTracks: readChapterTracks(source, parts.get('tref')),
    handler: handler.latin1(4),
    tables,
  }
}

function need(box: Box | undefined): Box {
  return box ?? rejectHeader('a track without one of its parts')
}

/** ISO/IEC 14496-12 8.3.2. */
function readTrackHeader(source: HeaderSource, box: Box) {
  const view = readBoxContent(source, box, HEADER_BYTES)
  const { version, flags } = readFullBoxHeader(view)
  view.skip(version === 1 ? 16 : 8)
  const id = view.u32()
  view.skip(version === 1 ? 28 : 24)
  const matrix = Array.from({ length: 9 }, () => view.i32())
  const [shownWidth, shownHeight] = [view.u32() / 65_536, view.u32() / 65_536]
  return { id, isEnabled: (flags & 1) !== 0, rotation: rotationOf(matrix), shownWidth, shownHeight }
}

/** Returns the rotation of a track's matrix; undefined without rotation. */
function rotationOf(matrix: readonly number[]): number | undefined {
  const [a = 0, b = 0, , c = 0, d = 0] = matrix
  if (b === 0 && c === 0 && a > 0 && d > 0) return undefined
  const [scaleX, scaleY] = [Math.hypot(a, c), Math.hypot(b, d)]
  if (scaleX === 0 || scaleY === 0) return undefined
  return -Math.round((Math.atan2(b / scaleY, a / scaleX) * 180) / Math.PI)
}

/** ISO/IEC 14496-12 8.4.2. */
function readMediaHeader(source: HeaderSource, box: Box) {
  const view = readBoxContent(source, box, HEADER_BYTES)
  const { version } = readFullBoxHeader(view)
  view.skip(version === 1 ? 16 : 8)
  const timescale = view.u32()
  const duration = version === 1 ? view.u64() : view.u32()
  if (timescale === 0) rejectHeader('a track without a clock')
  const isOpen = duration === 0xff_ff_ff_ff || duration >= 2 ** 63
  return { timescale, duration: isOpen ? 0 : duration, language: decodeIsoLanguage(view.u16()) }
}

/** ISO/IEC 14496-12 8.6.6. */
function readEdits(source: HeaderSource, box: Box | undefined): EditListEntry[] {
  const list = box && childBoxesByType(source, box).get('elst')
  if (list === undefined) return []
  const view = readBoxContent(source, list, 8 + MAX_EDITS * 20)
  const { version } = readFullBoxHeader(view)
  const count = view.u32()
  if (count > MAX_EDITS) rejectHeader('a track that is cut together')
  return Array.from({ length: count }, () => {
    const [duration, mediaTime] = version === 1 ? [view.u64(), view.i64()] : [view.u32(), view.i32()]
    if (view.u32() !== 0x1_00_00) rejectHeader('a track that plays faster or slower')
    return { duration, mediaTime }
  })
}

/** Returns the tracks that contain chapter titles ("QuickTime File Format", Chapter Lists). */
function readChapterTracks(source: HeaderSource, box: Box | undefined): number[] {
  if (box === undefined) return []
  for (const child of iterateBoxes(source, { start: box.dataStart, end: box.end })) {
    if (child.type !== 'chap') continue
    const view = readBoxContent(source, child, 64)
    return Array.from({ length: Math.floor(view.left / 4) }, () => view.u32())
  }
  return []
}
