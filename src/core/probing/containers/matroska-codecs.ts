import type { CodecFacts } from './codec-facts.ts'
import { readAudioSpecificConfig } from './codecs/aac.ts'
import { readAc3Frame } from './codecs/ac3.ts'
import { readAv1Configuration } from './codecs/av1.ts'
import { readAvcConfiguration } from './codecs/h264.ts'
import { readDtsFrame } from './codecs/dts.ts'
import { readHevcConfiguration } from './codecs/hevc.ts'
import { readAlacConfiguration, readFlacStreamInfo } from './codecs/lossless.ts'
import { readMpegAudioFrame } from './codecs/mpeg-audio.ts'
import { readTrueHdUnit } from './codecs/truehd.ts'
import { readVp8Frame, readVp9Frame } from './codecs/vpx.ts'
import { readOpusHeader, readVorbisPackets } from './codecs/xiph.ts'
import { rejectHeader } from './unsupported-header.ts'

/** The input of a codec reader. */
export type CodecInput = { configuration: Uint8Array; frame: Uint8Array | undefined; bitDepth: number }

const frameOf = ({ frame }: CodecInput): Uint8Array => frame ?? rejectHeader('a track whose first frame was not found')

/** Readers by CodecID (RFC 9559 and the Matroska codec registry); other codecs are rejected. */
const READERS: Readonly<Record<string, (input: CodecInput) => CodecFacts>> = {
  'V_MPEG4/ISO/AVC': ({ configuration }) => readAvcConfiguration(configuration),
  'V_MPEGH/ISO/HEVC': ({ configuration }) => readHevcConfiguration(configuration),
  V_AV1: ({ configuration }) => readAv1Configuration(configuration),
  V_VP9: (input) => readVp9Frame(frameOf(input)),
  V_VP8: (input) => readVp8Frame(frameOf(input)),
  A_AAC: ({ configuration }) => readAudioSpecificConfig(configuration),
  A_AC3: (input) => readAc3Frame(frameOf(input)),
  A_EAC3: (input) => readAc3Frame(frameOf(input)),
  A_DTS: (input) => readDtsFrame(frameOf(input)),
  A_TRUEHD: (input) => readTrueHdUnit(frameOf(input)),
  'A_MPEG/L3': (input) => readMpegAudioFrame(frameOf(input)),
  'A_MPEG/L2': (input) => readMpegAudioFrame(frameOf(input)),
  A_OPUS: ({ configuration }) => readOpusHeader(configuration.subarray(8)),
  A_VORBIS: ({ configuration }) => readVorbisPackets(configuration),
  A_FLAC: ({ configuration }) => readFlacStreamInfo(configuration.subarray(4)),
  A_ALAC: ({ configuration }) => readAlacConfiguration(configuration),
  'A_PCM/INT/LIT': ({ bitDepth }) => ({ codec_name: bitDepth === 8 ? 'pcm_u8' : `pcm_s${bitDepth}le` }),
  'A_PCM/INT/BIG': ({ bitDepth }) => ({ codec_name: bitDepth === 8 ? 'pcm_u8' : `pcm_s${bitDepth}be` }),
  'A_PCM/FLOAT/IEEE': ({ bitDepth }) => ({ codec_name: `pcm_f${bitDepth}le` }),
  'S_TEXT/UTF8': () => ({ codec_name: 'subrip' }),
  'S_TEXT/ASS': () => ({ codec_name: 'ass' }),
  'S_TEXT/SSA': () => ({ codec_name: 'ass' }),
  S_ASS: () => ({ codec_name: 'ass' }),
  S_SSA: () => ({ codec_name: 'ass' }),
  'S_TEXT/WEBVTT': () => ({ codec_name: 'webvtt' }),
  'D_WEBVTT/SUBTITLES': () => ({ codec_name: 'webvtt' }),
  'D_WEBVTT/CAPTIONS': () => ({ codec_name: 'webvtt' }),
  S_VOBSUB: () => ({ codec_name: 'dvd_subtitle' }),
  S_DVBSUB: () => ({ codec_name: 'dvb_subtitle' }),
  'S_HDMV/PGS': () => ({ codec_name: 'hdmv_pgs_subtitle' }),
  'S_HDMV/TEXTST': () => ({ codec_name: 'hdmv_text_subtitle' }),
}

/** Codecs whose facts are only in their first frame. */
const NEED_FRAME = new Set(['V_VP9', 'V_VP8', 'A_AC3', 'A_EAC3', 'A_DTS', 'A_TRUEHD', 'A_MPEG/L3', 'A_MPEG/L2'])

/** Returns whether a codec can be read only with the first frame of its track. */
export function needsFrame(codecId: string): boolean {
  return NEED_FRAME.has(codecId)
}

/** @throws UnsupportedHeader for unknown codecs */
export function readMatroskaCodec(codecId: string, input: CodecInput): CodecFacts {
  const read = Object.hasOwn(READERS, codecId) ? READERS[codecId] : undefined
  return read === undefined ? rejectHeader('a track of a codec that only ffprobe knows') : read(input)
}
