import { BitReader, removeEmulationPrevention } from '../bit-reader.ts'
import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { planarFormat, transferName } from './colour.ts'
import { skipReferenceSets } from './hevc-reference-sets.ts'
import { readVui, type Vui } from './vui.ts'

const SEQUENCE_PARAMETER_SET = 33
const PROFILES: Readonly<Record<number, string>> = { 1: 'Main', 2: 'Main 10', 3: 'Main Still Picture', 4: 'Rext' }

/** The facts in an HEVC decoder configuration record (ISO/IEC 14496-15 8.3.3.1): box `hvcC`, Matroska's CodecPrivate. */
export function readHevcConfiguration(record: Uint8Array): CodecFacts {
  const view = new ByteReader(record)
  view.skip(22)
  const arrays = view.u8()
  for (let array = 0; array < arrays; array += 1) {
    const type = view.u8() & 0x3f
    const count = view.u16()
    for (let index = 0; index < count; index += 1) {
      const unit = view.take(view.u16())
      if (type === SEQUENCE_PARAMETER_SET) return readSequenceParameters(unit.subarray(2))
    }
  }
  return rejectHeader('an HEVC configuration without a sequence parameter set')
}

/** A sequence parameter set (ITU-T H.265 7.3.2.2.1) without its NAL header. */
function readSequenceParameters(unit: Uint8Array): CodecFacts {
  const reader = new BitReader(removeEmulationPrevention(unit))
  reader.skip(4)
  const subLayers = reader.bits(3)
  reader.skip(1)
  const { profile, level } = readProfileTierLevel(reader, subLayers)
  reader.unsignedGolomb()
  const picture = readPicture(reader)
  const vui = readRest(reader, subLayers)
  const format =
    planarFormat(picture.chroma, picture.bitDepth) ?? rejectHeader('an HEVC stream of an unknown sample depth')
  if (picture.chroma === 3 && vui?.matrix === 0) rejectHeader('an HEVC stream of red, green and blue planes')
  return {
    codec_name: 'hevc',
    profile: PROFILES[profile] ?? rejectHeader('an HEVC stream of an unknown profile'),
    level,
    width: picture.width,
    height: picture.height,
    sample_aspect_ratio: vui?.aspect,
    color_transfer: transferName(vui?.transfer),
    pix_fmt: vui?.isFullRange === true && format === 'yuv420p' ? 'yuvj420p' : format,
  }
}

/** ITU-T H.265 7.3.3. */
function readProfileTierLevel(reader: BitReader, subLayers: number): { profile: number; level: number } {
  reader.skip(3)
  const profile = reader.bits(5)
  const compatible = reader.bits(32)
  reader.skip(48)
  const level = reader.bits(8)
  const present = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()] as const)
  if (subLayers > 0) reader.skip((8 - subLayers) * 2)
  for (const [hasProfile, hasLevel] of present) reader.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
  // Encoders that do not specify the profile set compatibility flags.
  const open = compatible >= 2 ** 30 ? 1 : 2
  return { profile: profile === 0 ? open : profile, level }
}

type Picture = { chroma: number; bitDepth: number; width: number; height: number }

function readPicture(reader: BitReader): Picture {
  const chroma = reader.unsignedGolomb()
  if (chroma > 3 || (chroma === 3 && reader.flag())) rejectHeader('an HEVC stream with an unknown chroma format')
  let width = reader.unsignedGolomb()
  let height = reader.unsignedGolomb()
  if (reader.flag()) {
    const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, chroma === 1 ? 2 : 1]
    width -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitX
    height -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitY
  }
  if (!(width > 0 && height > 0 && width <= 32_768 && height <= 32_768))
    rejectHeader('an HEVC stream of an impossible size')
  const bitDepth = reader.unsignedGolomb() + 8
  if (reader.unsignedGolomb() + 8 !== bitDepth)
    rejectHeader('an HEVC stream with different depths of brightness and colour')
  return { chroma, bitDepth, width, height }
}

/** Reads from the picture order count to the video usability information. */
function readRest(reader: BitReader, subLayers: number): Vui | undefined {
  const orderBits = reader.unsignedGolomb() + 4
  const orderings = reader.flag() ? subLayers + 1 : 1
  for (let index = 0; index < orderings * 3 + 6; index += 1) reader.unsignedGolomb()
  if (reader.flag() && reader.flag()) skipScalingLists(reader)
  reader.skip(2)
  if (reader.flag()) {
    reader.skip(8)
    reader.unsignedGolomb()
    reader.unsignedGolomb()
    reader.skip(1)
  }
  skipReferenceSets(reader)
  if (reader.flag()) {
    const count = reader.unsignedGolomb()
    if (count > 32) rejectHeader('an HEVC stream with too many long-term pictures')
    reader.skip(count * (orderBits + 1))
  }
  reader.skip(2)
  return reader.flag() ? readUsability(reader) : undefined
}

function readUsability(reader: BitReader): Vui {
  const vui = readVui(reader)
  if (reader.flag()) {
    reader.unsignedGolomb()
    reader.unsignedGolomb()
  }
  reader.skip(1)
  if (reader.flag()) rejectHeader('an HEVC stream of single fields')
  return vui
}

/** ITU-T H.265 7.3.4. */
function skipScalingLists(reader: BitReader): void {
  for (let size = 0; size < 4; size += 1) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.unsignedGolomb()
        continue
      }
      const entries = Math.min(64, 16 << (size * 2))
      if (size > 1) reader.signedGolomb()
      for (let entry = 0; entry < entries; entry += 1) reader.signedGolomb()
    }
  }
}
