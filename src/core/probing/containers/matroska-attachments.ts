import type { FfprobeStream } from '../ffprobe-output.ts'
import { type HeaderSource, readUpTo } from './limit-header-reads.ts'
import { emptyStream } from './codec-facts.ts'
import { COVER_HEAD_BYTES, readPicture } from './codecs/picture.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readElementContent, readElement, readText, type EbmlElement } from './ebml.ts'
import { MATROSKA_ID } from './matroska-ids.ts'

const MAX_FILES = 500
const MAX_FIELDS = 32
const MAX_NAME_BYTES = 4096
const PICTURES: Readonly<Record<string, string>> = {
  'image/jpeg': 'mjpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
}
const FILES: Readonly<Record<string, string>> = {
  'application/x-truetype-font': 'ttf',
  'application/x-font': 'ttf',
  'application/vnd.ms-opentype': 'otf',
  'font/otf': 'otf',
  'font/sfnt': 'ttf',
  'font/ttf': 'ttf',
  'text/plain': 'text',
  binary: 'bin_data',
}

/** Returns the attached files as streams (RFC 9559 5.1.6): covers as pictures, fonts and others by name. File contents are skipped. */
export function readAttachments(
  source: HeaderSource,
  parts: readonly EbmlElement[],
  firstIndex: number,
): FfprobeStream[] {
  const streams: FfprobeStream[] = []
  for (const part of parts) {
    for (let position = part.dataStart; position < part.dataStart + part.size;) {
      const file = readElement(source, position)
      if (file.size === Infinity || streams.length >= MAX_FILES) rejectHeader('attachments without an end')
      const stream =
        file.id === MATROSKA_ID.AttachedFile ? readFile(source, file, firstIndex + streams.length) : undefined
      if (stream !== undefined) streams.push(stream)
      position = file.dataStart + file.size
    }
  }
  return streams
}

/** Returns undefined for a file without a name, type or content, which ffmpeg ignores. */
function readFile(source: HeaderSource, file: EbmlElement, index: number): FfprobeStream | undefined {
  const fields = new Map<number, EbmlElement>()
  for (let position = file.dataStart; position < file.dataStart + file.size;) {
    const field = readElement(source, position)
    if (field.size === Infinity || fields.size >= MAX_FIELDS) rejectHeader('an attachment without an end')
    fields.set(field.id, field)
    position = field.dataStart + field.size
  }
  const text = (id: number) => {
    const field = fields.get(id)
    return field === undefined || field.size > MAX_NAME_BYTES ? undefined : readText(readElementContent(source, field))
  }
  const [name, type, bytes] = [
    text(MATROSKA_ID.FileName),
    text(MATROSKA_ID.FileMediaType),
    fields.get(MATROSKA_ID.FileData),
  ]
  if (name === undefined || type === undefined || bytes === undefined || bytes.size === 0) return undefined
  const picture = startingWith(PICTURES, type)
  if (picture === undefined) return { ...emptyStream(index, 'attachment'), codec_name: startingWith(FILES, type) }
  const head = readUpTo(source, bytes.dataStart, Math.min(bytes.size, COVER_HEAD_BYTES))
  const disposition = { attached_pic: 1 }
  return { ...emptyStream(index, 'video'), ...readPicture(head), codec_name: picture, disposition }
}

function startingWith(names: Readonly<Record<string, string>>, type: string): string | undefined {
  return Object.entries(names).find(([name]) => type.startsWith(name))?.[1]
}
