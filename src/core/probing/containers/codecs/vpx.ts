import { BitReader } from '../bit-reader.ts'
import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { planarFormat, transferName } from './colour.ts'

const RED_GREEN_BLUE = 7
/** ITU-T H.264 chroma formats by VP9's subsampling in width and height. */
const CHROMA: Readonly<Record<string, number>> = { '11': 1, '10': 2, '00': 3 }

/** Box `vpcC` after its version and flags ("VP Codec ISO Media File Format Binding" 1.0). */
export function readVpConfiguration(box: Uint8Array): CodecFacts {
  const view = new ByteReader(box)
  const profile = view.u8()
  view.skip(1)
  const packed = view.u8()
  view.skip(1)
  const transfer = view.u8()
  const matrix = view.u8()
  const chroma = [1, 1, 2, 3][(packed >> 1) & 7]
  if (chroma === undefined || profile > 3 || matrix === 0) rejectHeader('VP9 of an unknown sample format')
  return {
    codec_name: 'vp9',
    profile: `Profile ${profile}`,
    pix_fmt: planarFormat(chroma, packed >> 4),
    color_transfer: transferName(transfer),
  }
}

/** The uncompressed header of VP9's first frame, which is a key frame ("VP9 Bitstream Specification" 6.2). */
export function readVp9Frame(frame: Uint8Array): CodecFacts {
  const reader = new BitReader(frame)
  if (reader.bits(2) !== 2) rejectHeader('VP9 that does not begin with a frame')
  const profile = reader.bit() + 2 * reader.bit()
  if (profile === 3) reader.skip(1)
  // show_existing_frame, frame_type: both zero for a key frame.
  if (reader.bits(2) !== 0) rejectHeader('VP9 that does not begin with a key frame')
  reader.skip(2)
  if (reader.bits(24) !== 0x49_83_42) rejectHeader('VP9 without its sync code')
  const bitDepth = profile >= 2 ? (reader.flag() ? 12 : 10) : 8
  if (reader.bits(3) === RED_GREEN_BLUE) rejectHeader('VP9 of red, green and blue planes')
  reader.skip(1)
  const chroma = profile % 2 === 1 ? CHROMA[`${reader.bit()}${reader.bit()}`] : 1
  if (chroma === undefined) rejectHeader('VP9 of an unknown sample format')
  if (profile % 2 === 1) reader.skip(1)
  return {
    codec_name: 'vp9',
    profile: `Profile ${profile}`,
    pix_fmt: planarFormat(chroma, bitDepth),
    width: reader.bits(16) + 1,
    height: reader.bits(16) + 1,
  }
}

/** The header of VP8's first frame (RFC 6386 9.1). */
export function readVp8Frame(frame: Uint8Array): CodecFacts {
  const first = new ByteReader(frame).u24()
  if (((first >> 16) & 1) !== 0 || frame[3] !== 0x9d || frame[4] !== 0x01)
    rejectHeader('VP8 that does not begin with a key frame')
  return { codec_name: 'vp8', pix_fmt: 'yuv420p', profile: `${(first >> 17) & 7}` }
}
