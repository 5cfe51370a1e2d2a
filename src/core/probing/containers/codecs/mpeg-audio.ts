import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'

/** ISO/IEC 11172-3 2.4.2.3 and 13818-3 2.4.2.3: kbit/s by layer and bit rate index, for MPEG-1 and for the lower rates. */
const KILOBITS_PER_SECOND = {
  first: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  lower: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const
const RATES = [44_100, 48_000, 32_000]
const MONO = 3

/** The header of the first frame of MPEG audio, any layer. */
export function readMpegAudioFrame(frame: Uint8Array): CodecFacts {
  const word = new ByteReader(frame).u32()
  const version = (word >>> 19) & 3
  const layer = 4 - ((word >>> 17) & 3)
  const rate = RATES[(word >>> 10) & 3]
  if (word >>> 21 !== 0x7_ff || version === 1 || layer === 4 || rate === undefined) {
    rejectHeader('MPEG audio that does not begin with a frame')
  }
  const table = version === 3 ? KILOBITS_PER_SECOND.first : KILOBITS_PER_SECOND.lower
  const kilobits = table[layer as 1 | 2 | 3][(word >>> 12) & 15]
  const divisor = { 3: 1, 2: 2, 0: 4 }[version as 0 | 2 | 3]
  const isMono = ((word >>> 6) & 3) === MONO
  return {
    codec_name: `mp${layer}`,
    sample_rate: `${rate / divisor}`,
    channels: isMono ? 1 : 2,
    channel_layout: isMono ? 'mono' : 'stereo',
    // A single frame of layer 3 is not representative of the bit rate.
    bit_rate: kilobits === undefined || kilobits === 0 || layer === 3 ? undefined : `${kilobits * 1000}`,
  }
}
