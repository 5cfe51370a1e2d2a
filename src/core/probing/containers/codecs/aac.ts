import { BitReader } from '../bit-reader.ts'
import type { CodecFacts } from '../codec-facts.ts'
import { rejectHeader } from '../unsupported-header.ts'
import { channelLayout } from './channel-layout.ts'

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const PROFILES: Readonly<Record<number, string>> = { 1: 'Main', 2: 'LC', 3: 'SSR', 4: 'LTP' }
const SPECTRAL_BAND_REPLICATION = 5
const PARAMETRIC_STEREO = 29
const CHANNELS = [1, 2, 3, 4, 5, 6, 8]
/** Up to this rate a stream may be doubled by a decoder without a declaration in the configuration (implicit SBR). */
const MAX_IMPLICIT_SBR_RATE = 24_000

/** Reads an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1): the content of `esds`, and Matroska's CodecPrivate of A_AAC. */
export function readAudioSpecificConfig(config: Uint8Array): CodecFacts {
  const reader = new BitReader(config)
  const declared = readObjectType(reader)
  const coreRate = readRate(reader)
  const configuration = reader.bits(4)
  const isExplicit = declared === SPECTRAL_BAND_REPLICATION || declared === PARAMETRIC_STEREO
  const explicitRate = isExplicit ? readRate(reader) : undefined
  const objectType = isExplicit ? readObjectType(reader) : declared
  const profile = PROFILES[objectType] ?? rejectHeader('AAC of an unusual object type')
  if (configuration === 0) rejectHeader('AAC with a channel plan of its own')
  skipGeneralAudio(reader)
  const { rate: doubled, hasStereo } = isExplicit
    ? { rate: explicitRate, hasStereo: declared === PARAMETRIC_STEREO }
    : readExtension(reader, coreRate)
  const coded = CHANNELS[configuration - 1] ?? rejectHeader('AAC of an unknown channel configuration')
  const channels = hasStereo && coded === 1 ? 2 : coded
  const highEfficiency = hasStereo ? 'HE-AACv2' : 'HE-AAC'
  return {
    codec_name: 'aac',
    profile: doubled === undefined ? profile : highEfficiency,
    sample_rate: `${doubled ?? coreRate}`,
    channels,
    channel_layout: channelLayout('aac', channels === 8 ? 7 : channels),
  }
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5)
  return type === 31 ? 32 + reader.bits(6) : type
}

function readRate(reader: BitReader): number {
  const index = reader.bits(4)
  return index === 15 ? reader.bits(24) : (RATES[index] ?? rejectHeader('AAC of an unknown sample rate'))
}

/** GASpecificConfig, ISO/IEC 14496-3 4.4.1. */
function skipGeneralAudio(reader: BitReader): void {
  reader.skip(1)
  if (reader.flag()) reader.skip(14)
  reader.skip(1)
}

type Extension = { rate: number | undefined; hasStereo: boolean }

/**
 * Reads the backward compatible extension (1.6.5.3). @throws UnsupportedHeader if it is absent and the rate is low enough to be doubled
 */
function readExtension(reader: BitReader, coreRate: number): Extension {
  const isDeclared =
    reader.left >= 17 && reader.bits(11) === 0x2b7 && readObjectType(reader) === SPECTRAL_BAND_REPLICATION
  if (!isDeclared && coreRate <= MAX_IMPLICIT_SBR_RATE) {
    rejectHeader('AAC of a low rate that does not tell whether it is doubled')
  }
  if (!isDeclared || !reader.flag()) return { rate: undefined, hasStereo: false }
  const rate = readRate(reader)
  const hasStereo = reader.left >= 12 && reader.bits(11) === 0x548 && reader.flag()
  return { rate, hasStereo }
}
