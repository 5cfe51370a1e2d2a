import { ByteReader, decodeLatin1 } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'

/** Bytes read of a cover. The size of a JPEG with a larger embedded preview stays unknown. */
export const COVER_HEAD_BYTES = 4096

const PNG_COLOURS: Readonly<Record<number, string>> = { 0: 'gray', 2: 'rgb24', 3: 'pal8', 4: 'ya8', 6: 'rgba' }

/** Returns the facts of a cover picture from its first bytes; only the codec name, or nothing, if they do not suffice. */
export function readPicture(head: Uint8Array): CodecFacts {
  if (decodeLatin1(head.subarray(0, 8)) === '\x89PNG\r\n\x1A\n') return readPng(head)
  if (head[0] === 0xff && head[1] === 0xd8) return { codec_name: 'mjpeg', ...readJpeg(head) }
  return {}
}

/** ISO/IEC 15948 11.2.2. */
function readPng(head: Uint8Array): CodecFacts {
  if (head.length < 26) return { codec_name: 'png' }
  const view = new ByteReader(head)
  view.skip(16)
  const [width, height, depth, colour] = [view.u32(), view.u32(), view.u8(), view.u8()]
  return { codec_name: 'png', width, height, pix_fmt: depth === 8 ? PNG_COLOURS[colour] : undefined }
}

/** ITU-T T.81 B.2.2: the frame header contains size and sampling. */
function readJpeg(head: Uint8Array): CodecFacts {
  const view = new ByteReader(head)
  view.skip(2)
  while (view.left >= 4) {
    const marker = view.u16()
    const length = view.u16()
    if (marker >> 8 !== 0xff || length < 2) return {}
    const isFrame = marker >= 0xff_c0 && marker <= 0xff_cf && ![0xff_c4, 0xff_c8, 0xff_cc].includes(marker)
    if (isFrame && view.left >= 15) return readFrame(view)
    if (length - 2 > view.left) return {}
    view.skip(length - 2)
  }
  return {}
}

function readFrame(view: ByteReader): CodecFacts {
  view.skip(1)
  const [height, width, components] = [view.u16(), view.u16(), view.u8()]
  if (components === 1) return { width, height, pix_fmt: 'gray' }
  view.skip(1)
  const sampling = { 0x22: 'yuvj420p', 0x21: 'yuvj422p', 0x11: 'yuvj444p' }[view.u8()]
  return { width, height, pix_fmt: components === 3 ? sampling : undefined }
}
