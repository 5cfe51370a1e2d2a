import { BitReader } from '../bit-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'

const MAJOR_SYNC = 0xf8_72_6f_ba
/** Number of speakers for each bit of an arrangement; pairs count twice. */
const SPEAKERS = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1]
const LAYOUTS: Readonly<Record<number, string>> = {
  0x01: 'stereo',
  0x02: 'mono',
  0x03: '3.0',
  0x05: '2.1',
  0x07: '3.1',
  0x0b: '5.0(side)',
  0x0f: '5.1(side)',
  0x4f: '7.1',
}

/** Reads the major sync of the first access unit ("Meridian Lossless Packing, FBA Syntax") of a Dolby TrueHD stream. */
export function readTrueHdUnit(unit: Uint8Array): CodecFacts {
  const reader = new BitReader(unit)
  reader.skip(32)
  if (reader.bits(32) !== MAJOR_SYNC) rejectHeader('TrueHD that does not begin with a sync')
  const rateCode = reader.bits(4)
  if (rateCode === 15) rejectHeader('TrueHD of an unknown sample rate')
  reader.skip(8)
  const usual = reader.bits(5)
  reader.skip(2)
  const arrangement = reader.bits(13) || usual
  const layout = LAYOUTS[arrangement] ?? rejectHeader('TrueHD of an unusual channel arrangement')
  const channels = SPEAKERS.reduce((sum, count, bit) => sum + ((arrangement >> bit) & 1) * count, 0)
  return {
    codec_name: 'truehd',
    sample_rate: `${((rateCode & 8) === 0 ? 48_000 : 44_100) << (rateCode & 7)}`,
    channels,
    channel_layout: layout,
  }
}
