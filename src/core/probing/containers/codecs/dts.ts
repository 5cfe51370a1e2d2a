import { BitReader } from '../bit-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'

const SYNC_WORD = 0x7f_fe_80_01
/** ETSI TS 102 114 tables 5-5 and 5-7: hertz by code, kbit/s by code. */
const RATES: Readonly<Record<number, number>> = {
  1: 8000,
  2: 16_000,
  3: 32_000,
  6: 11_025,
  7: 22_050,
  8: 44_100,
  11: 12_000,
  12: 24_000,
  13: 48_000,
}
const KILOBITS_PER_SECOND = [
  32, 56, 64, 96, 112, 128, 192, 224, 256, 320, 384, 448, 512, 576, 640, 768, 960, 1024, 1152, 1280, 1344, 1408, 1411.2,
  1472, 1536, 1920, 2048, 3072, 3840,
]
/** Table 5-4: channels and layouts by channel arrangement, without and with a low-frequency channel. */
const CHANNELS = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5]
const LAYOUTS = [
  'mono',
  undefined,
  'stereo',
  undefined,
  undefined,
  '3.0',
  undefined,
  undefined,
  'quad(side)',
  '5.0(side)',
]
const LAYOUTS_WITH_BASS: Readonly<Record<number, string>> = { 2: '2.1', 5: '3.1', 9: '5.1(side)' }

/** Reads the first frame of DTS (ETSI TS 102 114 5.3). Extensions (more channels, higher rates, lossless) are rejected. */
export function readDtsFrame(frame: Uint8Array): CodecFacts {
  const reader = new BitReader(frame)
  if (reader.bits(32) !== SYNC_WORD) rejectHeader('DTS that does not begin with a frame')
  reader.skip(14)
  const bytes = reader.bits(14) + 1
  if (bytes !== frame.length) rejectHeader('DTS with an extension')
  const arrangement = reader.bits(6)
  const rate = RATES[reader.bits(4)] ?? rejectHeader('DTS of an unknown sample rate')
  const kilobits = KILOBITS_PER_SECOND[reader.bits(5)] ?? rejectHeader('DTS of an open bit rate')
  reader.skip(8)
  if (reader.flag()) rejectHeader('DTS with an extension')
  reader.skip(1)
  const hasBass = reader.bits(2) !== 0
  const layout = hasBass ? LAYOUTS_WITH_BASS[arrangement] : LAYOUTS[arrangement]
  return {
    codec_name: 'dts',
    profile: 'DTS',
    sample_rate: `${rate}`,
    channels: (CHANNELS[arrangement] ?? 0) + (hasBass ? 1 : 0),
    channel_layout: layout ?? rejectHeader('DTS of an unusual channel arrangement'),
    bit_rate: `${kilobits * 1000}`,
  }
}
