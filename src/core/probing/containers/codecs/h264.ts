import { BitReader, removeEmulationPrevention } from '../bit-reader.ts'
import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { planarFormat, transferName } from './colour.ts'
import { readVui, type Vui } from './vui.ts'

const SEQUENCE_PARAMETER_SET = 7
/** Profiles whose parameter sets contain chroma format and bit depth (ITU-T H.264 7.3.2.1.1). */
const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])
const INTRA = 0x10
const CONSTRAINED = 0x40

/** The facts in an AVC decoder configuration record (ISO/IEC 14496-15 5.3.3.1): box `avcC`, Matroska's CodecPrivate. */
export function readAvcConfiguration(record: Uint8Array): CodecFacts {
  const view = new ByteReader(record)
  if (view.u8() !== 1) rejectHeader('an AVC configuration of an unknown version')
  view.skip(4)
  const count = view.u8() & 0x1f
  if (count === 0) rejectHeader('an AVC configuration without parameter sets')
  const unit = view.take(view.u16())
  if (((unit[0] ?? 0) & 0x1f) !== SEQUENCE_PARAMETER_SET)
    rejectHeader('an AVC configuration without a sequence parameter set')
  return readSequenceParameters(unit.subarray(1))
}

/** A sequence parameter set (ITU-T H.264 7.3.2.1.1) without its NAL header. */
function readSequenceParameters(unit: Uint8Array): CodecFacts {
  const reader = new BitReader(removeEmulationPrevention(unit))
  const profile = reader.bits(8)
  const constraints = reader.bits(8)
  const level = reader.bits(8)
  reader.unsignedGolomb()
  const samples = HIGH_PROFILES.has(profile) ? readSampleFormat(reader) : { chroma: 1, bitDepth: 8 }
  reader.unsignedGolomb()
  skipOrderCount(reader)
  reader.unsignedGolomb()
  reader.skip(1)
  const size = readSize(reader, samples.chroma)
  const vui = reader.flag() ? readVui(reader) : undefined
  return {
    codec_name: 'h264',
    profile: profileName(profile, constraints),
    level: profile === 66 || profile === 77 || profile === 88 ? levelOf(level, constraints) : level,
    width: size.width,
    height: size.height,
    field_order: size.isProgressive ? 'progressive' : undefined,
    sample_aspect_ratio: vui?.aspect,
    color_transfer: transferName(vui?.transfer),
    pix_fmt: pixelFormat(samples, vui),
  }
}

/** In the older profiles, level 1b is level 11 with a constraint bit (ITU-T H.264 A.3.4.1); ffmpeg reports it as 9. */
function levelOf(level: number, constraints: number): number {
  return level === 11 && (constraints & INTRA) !== 0 ? 9 : level
}

function readSampleFormat(reader: BitReader): { chroma: number; bitDepth: number } {
  const chroma = reader.unsignedGolomb()
  // Some decoders output greyscale as colour.
  if (chroma === 0 || chroma > 3) rejectHeader('an H.264 stream with an unusual chroma format')
  if (chroma === 3 && reader.flag()) rejectHeader('an H.264 stream with separate colour planes')
  const bitDepth = reader.unsignedGolomb() + 8
  if (reader.unsignedGolomb() + 8 !== bitDepth)
    rejectHeader('an H.264 stream with different depths of brightness and colour')
  reader.skip(1)
  if (reader.flag()) skipScalingLists(reader, chroma === 3 ? 12 : 8)
  return { chroma, bitDepth }
}

/** ITU-T H.264 7.3.2.1.1.1. */
function skipScalingLists(reader: BitReader, count: number): void {
  for (let list = 0; list < count; list += 1) {
    if (!reader.flag()) continue
    let [last, next] = [8, 8]
    for (let entry = 0; entry < (list < 6 ? 16 : 64); entry += 1) {
      if (next !== 0) next = (last + reader.signedGolomb() + 256) % 256
      if (next !== 0) last = next
    }
  }
}

function skipOrderCount(reader: BitReader): void {
  const type = reader.unsignedGolomb()
  if (type === 0) reader.unsignedGolomb()
  if (type !== 1) return
  reader.skip(1)
  reader.signedGolomb()
  reader.signedGolomb()
  const cycle = reader.unsignedGolomb()
  if (cycle > 255) rejectHeader('an H.264 stream with an impossible picture order')
  for (let index = 0; index < cycle; index += 1) reader.signedGolomb()
}

function readSize(reader: BitReader, chroma: number): { width: number; height: number; isProgressive: boolean } {
  const columns = reader.unsignedGolomb() + 1
  const rows = reader.unsignedGolomb() + 1
  const isProgressive = reader.flag()
  if (!isProgressive) reader.skip(1)
  reader.skip(1)
  const fieldFactor = isProgressive ? 1 : 2
  const crop = reader.flag()
    ? [reader.unsignedGolomb(), reader.unsignedGolomb(), reader.unsignedGolomb(), reader.unsignedGolomb()]
    : [0, 0, 0, 0]
  const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, (chroma === 1 ? 2 : 1) * fieldFactor]
  const width = columns * 16 - ((crop[0] ?? 0) + (crop[1] ?? 0)) * unitX
  const height = rows * 16 * fieldFactor - ((crop[2] ?? 0) + (crop[3] ?? 0)) * unitY
  if (!(width > 0 && height > 0 && width <= 16_384 && height <= 16_384))
    rejectHeader('an H.264 stream of an impossible size')
  return { width, height, isProgressive }
}

function pixelFormat({ chroma, bitDepth }: { chroma: number; bitDepth: number }, vui: Vui | undefined) {
  // Planar RGB has separate format names.
  if (chroma === 3 && vui?.matrix === 0) return bitDepth === 8 ? 'gbrp' : `gbrp${bitDepth}le`
  const format = planarFormat(chroma, bitDepth) ?? rejectHeader('an H.264 stream of an unknown sample depth')
  return vui?.isFullRange === true && bitDepth === 8 ? format.replace('yuv', 'yuvj') : format
}

function profileName(profile: number, constraints: number): string {
  const isIntra = (constraints & INTRA) !== 0
  switch (profile) {
    case 66:
      return (constraints & CONSTRAINED) === 0 ? 'Baseline' : 'Constrained Baseline'
    case 77:
      return 'Main'
    case 88:
      return 'Extended'
    case 100:
      return 'High'
    case 110:
      return isIntra ? 'High 10 Intra' : 'High 10'
    case 122:
      return isIntra ? 'High 4:2:2 Intra' : 'High 4:2:2'
    case 244:
      return isIntra ? 'High 4:4:4 Intra' : 'High 4:4:4 Predictive'
    case 44:
      return 'CAVLC 4:4:4'
    case 118:
      return 'Multiview High'
    case 128:
      return 'Stereo High'
    default:
      return rejectHeader('an H.264 stream of an unknown profile')
  }
}
