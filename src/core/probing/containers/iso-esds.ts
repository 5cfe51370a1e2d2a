import { ByteReader } from './byte-reader.ts'
import type { CodecFacts } from './codec-facts.ts'
import { readAudioSpecificConfig } from './codecs/aac.ts'
import { rejectHeader } from './unsupported-header.ts'

const [STREAM, DECODER, SPECIFIC] = [3, 4, 5]
/** Object types (mp4ra.org): AAC variants, and MPEG-1 and MPEG-2 audio, of which files contain layer 3. */
const AAC = new Set([0x40, 0x66, 0x67, 0x68])
const MP3 = new Set([0x69, 0x6b])

/** Reads box `esds`: an elementary stream descriptor (ISO/IEC 14496-1 7.2.6.5) after the header of a full box. */
export function readEsdsBox(box: Uint8Array): { facts: CodecFacts; averageBitrate: number | undefined } {
  const view = new ByteReader(box)
  view.skip(4)
  if (readHead(view).tag === STREAM) skipStreamFields(view)
  else view.position = 4
  if (readHead(view).tag !== DECODER) rejectHeader('a stream descriptor without a decoder')
  const objectType = view.u8()
  view.skip(8)
  const average = view.u32()
  return { facts: factsOf(objectType, view), averageBitrate: average > 0 ? average : undefined }
}

function factsOf(objectType: number, view: ByteReader): CodecFacts {
  if (MP3.has(objectType)) return { codec_name: 'mp3' }
  if (!AAC.has(objectType)) rejectHeader('a stream of an unusual object type')
  const { tag, length } = readHead(view)
  if (tag !== SPECIFIC) rejectHeader('AAC without a configuration')
  return readAudioSpecificConfig(view.take(length))
}

/** Reads a tag and a length of seven bits per byte, at most four bytes (ISO/IEC 14496-1 8.3.3). */
function readHead(view: ByteReader): { tag: number; length: number } {
  const tag = view.u8()
  let length = 0
  for (let index = 0; index < 4; index += 1) {
    const byte = view.u8()
    length = length * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return { tag, length }
}

function skipStreamFields(view: ByteReader): void {
  view.skip(2)
  const flags = view.u8()
  if ((flags & 0x80) !== 0) view.skip(2)
  if ((flags & 0x40) !== 0) view.skip(view.u8())
  if ((flags & 0x20) !== 0) view.skip(2)
}
