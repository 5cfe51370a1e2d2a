import { BitReader } from '../bit-reader.ts'
import { ByteReader } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { channelLayout } from './channel-layout.ts'

/** Reads FLAC's STREAMINFO with its block header (RFC 9639 8.1, 8.2), as it follows `fLaC` and in box `dfLa`. */
export function readFlacStreamInfo(block: Uint8Array): CodecFacts {
  const reader = new BitReader(block)
  reader.skip(1)
  if (reader.bits(7) !== 0) rejectHeader('FLAC that does not begin with its stream facts')
  reader.skip(24 + 80)
  const rate = reader.bits(20)
  const channels = reader.bits(3) + 1
  return {
    codec_name: 'flac',
    sample_rate: `${rate}`,
    channels,
    channel_layout: channelLayout('xiph', channels),
  }
}

/** The ALACSpecificConfig of Apple's "ALACMagicCookieDescription". */
export function readAlacConfiguration(config: Uint8Array): CodecFacts {
  const view = new ByteReader(config)
  view.skip(9)
  const channels = view.u8()
  view.skip(10)
  const rate = view.u32()
  return {
    codec_name: 'alac',
    sample_rate: `${rate}`,
    channels,
    channel_layout: channelLayout('alac', channels),
  }
}
