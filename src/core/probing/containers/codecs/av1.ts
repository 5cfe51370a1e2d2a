import { BitReader } from '../bit-reader.ts'
import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { planarFormat, transferName } from './colour.ts'

const PROFILES = ['Main', 'High', 'Professional']
const SEQUENCE_HEADER = 1

/** An AV1 codec configuration record ("AV1 Codec ISO Media File Format Binding" 2.3): box `av1C`, Matroska's CodecPrivate. */
export function readAv1Configuration(record: Uint8Array): CodecFacts {
  const view = new ByteReader(record)
  if (view.u8() !== 0x81) rejectHeader('an AV1 configuration of an unknown version')
  const [first, second] = [view.u8(), view.u8()]
  view.skip(1)
  const isHigh = (second & 0x40) !== 0
  const isTwelve = (second & 0x20) !== 0
  const isGrey = (second & 0x10) !== 0
  const subsampling = (second >> 2) & 3
  const chroma = isGrey ? 0 : ({ 3: 1, 2: 2, 0: 3 }[subsampling] ?? rejectHeader('AV1 of an unknown sample format'))
  return {
    codec_name: 'av1',
    profile: PROFILES[first >> 5] ?? rejectHeader('AV1 of an unknown profile'),
    level: first & 0x1f,
    pix_fmt: planarFormat(chroma, isHigh ? (isTwelve ? 12 : 10) : 8),
    color_transfer: transferName(view.left > 0 ? transferOf(view) : undefined),
  }
}

/** Returns the transfer function from a sequence header OBU (AV1 5.3, 5.5); undefined if it is not specified. */
function transferOf(view: ByteReader): number | undefined {
  const header = view.u8()
  if (((header >> 3) & 0x0f) !== SEQUENCE_HEADER) rejectHeader('an AV1 configuration that begins with something else')
  if ((header & 4) !== 0) view.skip(1)
  if ((header & 2) !== 0) while ((view.u8() & 0x80) !== 0);
  const reader = new BitReader(view.take(view.left))
  const profile = reader.bits(3)
  reader.skip(1)
  const isReduced = reader.flag()
  if (isReduced) reader.skip(5)
  else skipOperatingPoints(reader)
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1]
  reader.skip(widthBits + heightBits)
  if (!isReduced && reader.flag()) reader.skip(7)
  reader.skip(3)
  if (!isReduced) skipInterTools(reader)
  reader.skip(3)
  const isHigh = reader.flag()
  if (profile === 2 && isHigh) reader.skip(1)
  if (profile !== 1) reader.skip(1)
  if (!reader.flag()) return undefined
  reader.skip(8)
  return reader.bits(8)
}

function skipOperatingPoints(reader: BitReader): void {
  let delayBits = 0
  if (reader.flag()) {
    reader.skip(64)
    if (reader.flag()) reader.unsignedGolomb()
    if (reader.flag()) {
      delayBits = reader.bits(5) + 1
      reader.skip(42)
    }
  }
  const hasInitialDelay = reader.flag()
  const points = reader.bits(5) + 1
  for (let point = 0; point < points; point += 1) {
    reader.skip(12)
    if (reader.bits(5) > 7) reader.skip(1)
    if (delayBits > 0 && reader.flag()) reader.skip(delayBits * 2 + 1)
    if (hasInitialDelay && reader.flag()) reader.skip(4)
  }
}

function skipInterTools(reader: BitReader): void {
  reader.skip(4)
  const hasOrderHint = reader.flag()
  if (hasOrderHint) reader.skip(2)
  const choosesScreenTools = reader.flag()
  const forcesScreenTools = choosesScreenTools || reader.flag()
  if (forcesScreenTools && !reader.flag()) reader.skip(1)
  if (hasOrderHint) reader.skip(3)
}
