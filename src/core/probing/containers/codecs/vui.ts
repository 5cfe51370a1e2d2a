import type { BitReader } from '../bit-reader.ts'

/** The beginning of the video usability information, common to H.264 (annex E.1.1) and H.265 (annex E.2.1). */
export type Vui = {
  aspect: string | undefined
  isFullRange: boolean
  transfer: number | undefined
  matrix: number | undefined
}

const ASPECTS = '0:1 1:1 12:11 10:11 16:11 40:33 24:11 20:11 32:11 80:33 18:11 15:11 64:33 160:99 4:3 3:2 2:1'.split(
  ' ',
)
const EXTENDED_ASPECT = 255

/** Reads up to and including the colour description. */
export function readVui(reader: BitReader): Vui {
  const vui: Vui = { aspect: undefined, isFullRange: false, transfer: undefined, matrix: undefined }
  if (reader.flag()) {
    const index = reader.bits(8)
    vui.aspect = index === EXTENDED_ASPECT ? `${reader.bits(16)}:${reader.bits(16)}` : ASPECTS[index]
  }
  // overscan_info_present_flag, overscan_appropriate_flag
  if (reader.flag()) reader.skip(1)
  if (reader.flag()) {
    reader.skip(3)
    vui.isFullRange = reader.flag()
    if (reader.flag()) {
      reader.skip(8)
      vui.transfer = reader.bits(8)
      vui.matrix = reader.bits(8)
    }
  }
  return vui
}
