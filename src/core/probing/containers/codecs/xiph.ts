import { ByteReader, decodeLatin1 } from '../byte-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { channelLayout } from './channel-layout.ts'

/** Opus is always decoded at this rate (RFC 7845 5.1). */
const OPUS_RATE = '48000'

/** Reads the identification header of Opus from its version byte: `OpusHead` (RFC 7845 5.1) and box `dOps` share it. */
export function readOpusHeader(header: Uint8Array): CodecFacts {
  const channels = header[1] ?? 0
  const family = header[10] ?? 0
  if (channels === 0 || family > 1) rejectHeader('Opus with an unusual channel mapping')
  return {
    codec_name: 'opus',
    sample_rate: OPUS_RATE,
    channels,
    channel_layout: channelLayout('xiph', channels),
  }
}

/**
 * Reads Matroska's CodecPrivate of A_VORBIS: three packets with Xiph lacing, of which the first is the identification header (Vorbis I
 * 4.2.2).
 */
export function readVorbisPackets(packets: Uint8Array): CodecFacts {
  const view = new ByteReader(packets)
  if (view.u8() !== 2) rejectHeader('Vorbis without its three headers')
  for (let packet = 0; packet < 2; packet += 1) while (view.u8() === 255);
  if (view.u8() !== 1 || decodeLatin1(view.take(6)) !== 'vorbis')
    rejectHeader('Vorbis without an identification header')
  view.skip(4)
  const channels = view.u8()
  const rate = Buffer.from(view.take(4)).readUInt32LE()
  return {
    codec_name: 'vorbis',
    sample_rate: `${rate}`,
    channels,
    channel_layout: channelLayout('xiph', channels),
  }
}
