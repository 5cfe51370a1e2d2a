import { BitReader } from '../bit-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'

/** ETSI TS 102 366 tables 4.1, F.4.1: sample rates, kbit/s by bit rate code, channels and layouts by audio coding mode. */
const RATES = [48_000, 44_100, 32_000]
const KILOBITS_PER_SECOND = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5]
const LAYOUTS = ['stereo', 'mono', 'stereo', '3.0', '3.0(back)', '4.0', 'quad(side)', '5.0(side)']
const LAYOUTS_WITH_BASS = [undefined, undefined, '2.1', '3.1', undefined, '4.1', undefined, '5.1(side)']
const BLOCKS = [1, 2, 3, 6]
const SYNC_WORD = 0x0b_77
const MAX_AC3_IDENTIFICATION = 8
const DEPENDENT = 1

type Sound = {
  name: string
  rate: number | undefined
  mode: number
  hasBass: boolean
  bitsPerSecond: number | undefined
}

function factsOf({ name, rate, mode, hasBass, bitsPerSecond }: Sound): CodecFacts {
  if (rate === undefined) rejectHeader('AC-3 of an unknown sample rate')
  return {
    codec_name: name,
    sample_rate: `${rate}`,
    channels: (CHANNELS[mode] ?? 0) + (hasBass ? 1 : 0),
    channel_layout: (hasBass ? LAYOUTS_WITH_BASS : LAYOUTS)[mode],
    bit_rate: bitsPerSecond === undefined ? undefined : `${Math.round(bitsPerSecond)}`,
  }
}

/** Box `dac3`, ETSI TS 102 366 F.4. */
export function readAc3Box(box: Uint8Array): CodecFacts {
  const reader = new BitReader(box)
  const rate = RATES[reader.bits(2)]
  reader.skip(8)
  const mode = reader.bits(3)
  const hasBass = reader.flag()
  const kilobits = KILOBITS_PER_SECOND[reader.bits(5)]
  return factsOf({ name: 'ac3', rate, mode, hasBass, bitsPerSecond: kilobits && kilobits * 1000 })
}

/** Box `dec3`, ETSI TS 102 366 F.6. More than one substream, as in 7.1, is rejected. */
export function readEnhancedAc3Box(box: Uint8Array): CodecFacts {
  const reader = new BitReader(box)
  const kilobits = reader.bits(13)
  if (reader.bits(3) !== 0) rejectHeader('E-AC-3 with several programmes')
  const rate = RATES[reader.bits(2)]
  reader.skip(10)
  const mode = reader.bits(3)
  const hasBass = reader.flag()
  reader.skip(3)
  if (reader.bits(4) !== 0) rejectHeader('E-AC-3 with dependent substreams')
  return factsOf({ name: 'eac3', rate, mode, hasBass, bitsPerSecond: kilobits * 1000 })
}

/** Reads the first frame of AC-3 (ETSI TS 102 366 4.3) or E-AC-3 (E.1.2); the frame identifies the variant. */
export function readAc3Frame(frame: Uint8Array): CodecFacts {
  const reader = new BitReader(frame)
  if (reader.bits(16) !== SYNC_WORD) rejectHeader('AC-3 that does not begin with a frame')
  // AC-3 and E-AC-3 have this field at the same position.
  const identification = (frame[5] ?? 0) >> 3
  return identification > 10 ? readEnhancedFrame(reader, frame) : readPlainFrame(reader, identification)
}

function readPlainFrame(reader: BitReader, identification: number): CodecFacts {
  if (identification > MAX_AC3_IDENTIFICATION) rejectHeader('AC-3 of a halved rate')
  reader.skip(16)
  const rate = RATES[reader.bits(2)]
  const kilobits = KILOBITS_PER_SECOND[reader.bits(6) >> 1]
  reader.skip(8)
  const mode = reader.bits(3)
  // Some modes have mix levels here.
  if (mode % 2 === 1 && mode !== 1) reader.skip(2)
  if (mode >= 4) reader.skip(2)
  if (mode === 2) reader.skip(2)
  const hasBass = reader.flag()
  return factsOf({ name: 'ac3', rate, mode, hasBass, bitsPerSecond: kilobits && kilobits * 1000 })
}

function readEnhancedFrame(reader: BitReader, frame: Uint8Array): CodecFacts {
  if (reader.bits(2) === DEPENDENT) rejectHeader('E-AC-3 that begins with a dependent frame')
  reader.skip(3)
  const bytes = (reader.bits(11) + 1) * 2
  const rate = RATES[reader.bits(2)]
  const samples = (BLOCKS[reader.bits(2)] ?? 6) * 256
  const mode = reader.bits(3)
  const hasBass = reader.flag()
  // A second frame in the same block has the same timestamp: it contains channels beyond 5.1.
  if (bytes + 3 <= frame.length && (frame[bytes + 2] ?? 0) >> 6 === DEPENDENT) {
    rejectHeader('E-AC-3 with dependent substreams')
  }
  const bitsPerSecond = rate === undefined ? undefined : (bytes * 8 * rate) / samples
  return factsOf({ name: 'eac3', rate, mode, hasBass, bitsPerSecond })
}
