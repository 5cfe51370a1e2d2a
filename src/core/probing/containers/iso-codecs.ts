import { parseAtoms, type Atom } from './boxes.ts'
import { ByteReader } from './byte-reader.ts'
import { mergeStreamFacts, type CodecFacts } from './codec-facts.ts'
import { readAc3Box, readEnhancedAc3Box } from './codecs/ac3.ts'
import { readAv1Configuration } from './codecs/av1.ts'
import { channelLayout } from './codecs/channel-layout.ts'
import { transferName } from './codecs/colour.ts'
import { readAvcConfiguration } from './codecs/h264.ts'
import { readHevcConfiguration } from './codecs/hevc.ts'
import { readAlacConfiguration, readFlacStreamInfo } from './codecs/lossless.ts'
import { readVpConfiguration } from './codecs/vpx.ts'
import { readOpusHeader } from './codecs/xiph.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readEsdsBox } from './iso-esds.ts'

/** Facts of a sample entry (ISO/IEC 14496-12 8.5.2); the bit rate is the declared one. */
export type SampleEntry = { kind: string; facts: CodecFacts; declaredBitrate: number | undefined }

/** Bytes of version and flags of a full box. */
const FULL_BOX_HEAD = 4
const FIELD_ORDERS: Readonly<Record<number, string>> = { 1: 'tt', 6: 'bb', 9: 'tb', 14: 'bt' }

const PICTURES: Readonly<Record<string, { box: string; read: (data: Uint8Array) => CodecFacts }>> = {
  avc1: { box: 'avcC', read: readAvcConfiguration },
  avc3: { box: 'avcC', read: readAvcConfiguration },
  hvc1: { box: 'hvcC', read: readHevcConfiguration },
  hev1: { box: 'hvcC', read: readHevcConfiguration },
  dvh1: { box: 'hvcC', read: readHevcConfiguration },
  dvhe: { box: 'hvcC', read: readHevcConfiguration },
  av01: { box: 'av1C', read: readAv1Configuration },
  vp09: { box: 'vpcC', read: (data) => readVpConfiguration(data.subarray(FULL_BOX_HEAD)) },
}

const SOUNDS: Readonly<Record<string, { box: string; read: (data: Uint8Array) => CodecFacts }>> = {
  mp4a: { box: 'esds', read: (data) => readEsdsBox(data).facts },
  'ac-3': { box: 'dac3', read: readAc3Box },
  'ec-3': { box: 'dec3', read: readEnhancedAc3Box },
  Opus: { box: 'dOps', read: readOpusHeader },
  fLaC: { box: 'dfLa', read: (data) => readFlacStreamInfo(data.subarray(FULL_BOX_HEAD)) },
  alac: { box: 'alac', read: (data) => readAlacConfiguration(data.subarray(FULL_BOX_HEAD)) },
}

/** Codecs without a configuration of their own. */
const PCM_CODECS: Readonly<Record<string, string>> = {
  '.mp3': 'mp3',
  sowt: 'pcm_s16le',
  twos: 'pcm_s16be',
  in24: 'pcm_s24be',
  in32: 'pcm_s32be',
  fl32: 'pcm_f32be',
  fl64: 'pcm_f64be',
  alaw: 'pcm_alaw',
  ulaw: 'pcm_mulaw',
}
/** For these codecs the depth in the sample entry may differ from the depth in the codec's name. */
const SIXTEEN_BITS = new Set(['sowt', 'twos'])

const TEXTS: Readonly<Record<string, string>> = {
  tx3g: 'mov_text',
  text: 'mov_text',
  wvtt: 'webvtt',
  stpp: 'ttml',
  c608: 'eia_608',
}

/** Reads the only entry of a sample description. @throws UnsupportedHeader for several entries, and for an encrypted or unknown entry */
export function readSampleEntry(description: Uint8Array, handler: string): SampleEntry {
  const version = description[0] ?? 0
  const [entry, second] = parseAtoms(description.subarray(8))
  if (entry === undefined || second !== undefined) rejectHeader('a track with several sample descriptions, or none')
  if (handler === 'vide') return readPicture(entry)
  if (handler === 'soun') return readSound(entry, version)
  const text = Object.hasOwn(TEXTS, entry.type) ? TEXTS[entry.type] : undefined
  if (text !== undefined) return { kind: 'subtitle', facts: { codec_name: text }, declaredBitrate: undefined }
  return entry.type === 'tmcd' || handler === 'meta'
    ? { kind: 'data', facts: {}, declaredBitrate: undefined }
    : rejectHeader('a track of an unusual kind')
}

/** VisualSampleEntry, ISO/IEC 14496-12 12.1.3. */
function readPicture({ type, data }: Atom): SampleEntry {
  const codec = Object.hasOwn(PICTURES, type) ? PICTURES[type] : undefined
  if (codec === undefined) rejectHeader('a picture of a codec that only ffprobe knows')
  const view = new ByteReader(data)
  view.skip(24)
  const size: CodecFacts = { width: view.u16(), height: view.u16() }
  view.skip(50)
  const atoms = parseAtoms(view.take(view.left))
  const facts = mergeStreamFacts(size, pictureFacts(atoms), codec.read(configurationOf(atoms, codec.box)))
  if (facts.field_order === undefined && facts.codec_name === 'h264') rejectHeader('perhaps an interlaced picture')
  const aspect = pixelAspect(atoms)
  return {
    kind: 'video',
    facts: aspect === undefined ? facts : { ...facts, sample_aspect_ratio: aspect },
    declaredBitrate: declaredBitrate(atoms),
  }
}

function configurationOf(atoms: readonly Atom[], type: string): Uint8Array {
  return (
    atoms.find((atom) => atom.type === type)?.data ?? rejectHeader('a track without the configuration of its codec')
  )
}

/** Reads boxes `colr` (12.1.5) and QuickTime's `fiel`. */
function pictureFacts(atoms: readonly Atom[]): CodecFacts {
  const facts: CodecFacts = {}
  for (const { type, data } of atoms) {
    const view = new ByteReader(data)
    if (type === 'colr' && ['nclx', 'nclc'].includes(view.latin1(4))) {
      view.skip(2)
      facts.color_transfer = transferName(view.u16())
    }
    if (type === 'fiel') facts.field_order = view.u8() === 1 ? 'progressive' : FIELD_ORDERS[view.u8()]
  }
  return facts
}

/** Box `pasp`, 12.1.4. */
function pixelAspect(atoms: readonly Atom[]): string | undefined {
  const box = atoms.find(({ type }) => type === 'pasp')
  if (box === undefined) return undefined
  const view = new ByteReader(box.data)
  const [width, height] = [view.u32(), view.u32()]
  return width > 0 && height > 0 ? `${width}:${height}` : undefined
}

/** Reads an AudioSampleEntry (12.2.3) or QuickTime's longer variants (versions 1 and 2). */
function readSound({ type, data }: Atom, descriptionVersion: number): SampleEntry {
  const view = new ByteReader(data)
  view.skip(8)
  const version = view.u16()
  view.skip(6)
  const [channels, bits] = [view.u16(), view.u16()]
  view.skip(4)
  const rate = view.u32() >>> 16
  if (version === 2) rejectHeader('sound described in the second form of QuickTime')
  if (version === 1 && descriptionVersion === 0) view.skip(16)
  const atoms = parseAtoms(view.take(view.left)).flatMap((atom) =>
    atom.type === 'wave' ? parseAtoms(atom.data) : [atom],
  )
  const declared: CodecFacts = { channels, sample_rate: `${rate}`, channel_layout: channelLayout('plain', channels) }
  const codec = Object.hasOwn(SOUNDS, type) ? SOUNDS[type] : undefined
  const facts =
    codec === undefined ? readPcmFacts(type, { bits, channels, atoms }) : codec.read(configurationOf(atoms, codec.box))
  return { kind: 'audio', facts: mergeStreamFacts(declared, facts), declaredBitrate: declaredBitrate(atoms) }
}

type PcmDescription = { bits: number; channels: number; atoms: readonly Atom[] }

function readPcmFacts(type: string, { bits, channels, atoms }: PcmDescription): CodecFacts {
  const name = Object.hasOwn(PCM_CODECS, type) ? PCM_CODECS[type] : undefined
  if (name === undefined) rejectHeader('sound of a codec that only ffprobe knows')
  if (SIXTEEN_BITS.has(type) && bits !== 16) rejectHeader('samples of an unusual depth')
  if (channels > 2) rejectHeader('plain samples of many channels, in an order of their own')
  // Box `enda`: 1 means little-endian samples.
  const isLittle = atoms.find((atom) => atom.type === 'enda')?.data[1] === 1
  return { codec_name: isLittle ? name.replace(/be$/, 'le') : name }
}

/**
 * Returns the declared average in bits per second from box `btrt` (8.5.2), or from the elementary stream descriptor if there is no such
 * box.
 */
function declaredBitrate(atoms: readonly Atom[]): number | undefined {
  const box = atoms.find(({ type }) => type === 'btrt')
  const declared = box === undefined ? undefined : new ByteReader(box.data.subarray(8)).u32()
  if (declared !== undefined && declared > 0) return declared
  const stream = atoms.find(({ type }) => type === 'esds')
  return stream === undefined ? undefined : readEsdsBox(stream.data).averageBitrate
}
