import type { FfprobeStream } from '../ffprobe-output.ts'
import { iterateBoxes, childBoxesByType, readBoxContent, type Box } from './boxes.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { decodeLatin1, decodeUtf8 } from './byte-reader.ts'
import { emptyStream } from './codec-facts.ts'
import { COVER_HEAD_BYTES, readPicture } from './codecs/picture.ts'
import { readNeroChapters } from './iso-chapters.ts'
import { setTag, type TagSet } from './matroska-tags.ts'
import type { RawChapter } from './raw-chapters.ts'

/** Facts besides the tracks: file tags, covers in order, Nero chapters. */
export type MovieMetadata = { tags: TagSet; covers: FfprobeStream[]; chapters: RawChapter[] }

const VALUE_BYTES = 4096
const COVER_CODECS: Readonly<Record<number, string>> = { 13: 'mjpeg', 14: 'png', 27: 'bmp' }

/** ffprobe's names by the items of iTunes and QuickTime. */
const NAMES: Readonly<Record<string, string>> = {
  '\xA9nam': 'title',
  '\xA9ART': 'artist',
  '\xA9alb': 'album',
  '\xA9day': 'date',
  '\xA9gen': 'genre',
  '\xA9cmt': 'comment',
  '\xA9wrt': 'composer',
  '\xA9too': 'encoder',
  '\xA9swr': 'encoder',
  '\xA9grp': 'grouping',
  '\xA9lyr': 'lyrics',
  aART: 'album_artist',
  cprt: 'copyright',
  desc: 'description',
  ldes: 'synopsis',
  tvsh: 'show',
  tven: 'episode_id',
  tvnn: 'network',
}

/** Adds the facts of a box `udta` (ISO/IEC 14496-12 8.10.1) or `meta` (8.11.1) of the movie; covers become streams. */
export function addMovieMetadata(source: HeaderSource, box: Box, facts: MovieMetadata): void {
  if (box.type === 'meta') return addItems(source, box, facts)
  for (const child of iterateBoxes(source, { start: box.dataStart, end: box.end })) {
    if (child.type === 'meta') addItems(source, child, facts)
    else if (child.type === 'chpl') facts.chapters = readNeroChapters(source, child)
    else if (child.type.startsWith('\xA9')) addQuickTimeText(source, child, facts.tags)
  }
}

/** "QuickTime File Format", User Data Text Strings: a length, a language, the text. */
function addQuickTimeText(source: HeaderSource, box: Box, tags: TagSet): void {
  const view = readBoxContent(source, box, VALUE_BYTES)
  if (view.left < 4) return
  const length = view.u16()
  view.skip(2)
  setTag(tags, NAMES[box.type], decodeUtf8(view.take(Math.min(length, view.left))))
}

function addItems(source: HeaderSource, box: Box, facts: MovieMetadata): void {
  // A full box in ISO files, a plain box in QuickTime files.
  const isPlain = decodeLatin1(readBoxContent(source, box, 8).bytes.subarray(4)) === 'hdlr'
  const parts = childBoxesByType(source, { ...box, dataStart: Math.min(box.end, box.dataStart + (isPlain ? 0 : 4)) })
  const items = parts.get('ilst')
  if (items === undefined) return
  const keys = readKeys(source, parts.get('keys'))
  for (const item of iterateBoxes(source, { start: items.dataStart, end: items.end })) {
    for (const part of iterateBoxes(source, { start: item.dataStart, end: item.end })) {
      if (part.type !== 'data' || part.end - part.dataStart < 8) continue
      const { type, value } = readValue(source, part)
      if (item.type === 'covr') addCover(facts, type, value)
      else if (type === 1) setTag(facts.tags, keys.get(item.type) ?? NAMES[item.type], decodeUtf8(value))
    }
  }
}

/** Reads an item's value with its well-known type: 1 is UTF-8, 13 JPEG, 14 PNG ("QuickTime File Format", Value Atom). */
function readValue(source: HeaderSource, box: Box): { type: number; value: Uint8Array } {
  const view = readBoxContent(source, box, Math.max(VALUE_BYTES, COVER_HEAD_BYTES) + 8)
  const type = view.u32()
  view.skip(4)
  return { type, value: view.take(view.left) }
}

function addCover(facts: MovieMetadata, type: number, value: Uint8Array): void {
  const picture = readPicture(value)
  const codec = picture.codec_name ?? COVER_CODECS[type]
  if (codec === undefined || value.length === 0) return
  const stream = { ...emptyStream(0, 'video'), ...picture, codec_name: codec }
  facts.covers.push({ ...stream, disposition: { attached_pic: 1 } })
}

/** Reads the key names that items refer to by position, from 1 ("QuickTime File Format", Metadata Item Keys Atom). */
function readKeys(source: HeaderSource, box: Box | undefined): Map<string, string> {
  const keys = new Map<string, string>()
  if (box === undefined) return keys
  const view = readBoxContent(source, box, 64 * 1024)
  view.skip(8)
  while (view.left >= 8 && keys.size < 1000) {
    const size = view.u32()
    if (size < 8 || size - 4 > view.left) break
    view.skip(4)
    const name = decodeUtf8(view.take(size - 8))
    const place = Buffer.alloc(4)
    place.writeUInt32BE(keys.size + 1)
    keys.set(decodeLatin1(place), name)
  }
  return keys
}
