import { readFile } from 'node:fs/promises'
import { ascii, byte, rational, short, tiffOf, type TiffTags } from '../core/probing/photos/tiff-writer.ts'
import { sampleMedia } from './media.ts'

type Fraction = readonly [number, number]

/** EXIF data of a test picture; times in EXIF form, `2024:05:06 07:08:09`. */
export type PictureSpec = {
  takenAt?: string
  offset?: string
  make?: string
  model?: string
  lens?: string
  description?: string
  orientation?: number
  exposure?: Fraction
  aperture?: Fraction
  iso?: number
  focalLength?: Fraction
  /** Degrees, minutes and seconds north and east; altitude in metres. */
  place?: { latitude: readonly number[]; longitude: readonly number[]; altitude: number }
}

/** A real JPEG of 64x48 pixels with EXIF written byte by byte. */
export async function jpegWith(spec: PictureSpec): Promise<Buffer> {
  const plain = await readFile(await sampleMedia('photo-jpg'))
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifOf(spec)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([plain.subarray(0, 2), head, body, plain.subarray(2)])
}

/** The header of a raw file of 4000x3000 pixels based on TIFF (DNG, NEF …), without its picture. */
export function rawWith(spec: PictureSpec): Buffer {
  return exifOf(spec, { 0x01_00: short(4000), 0x01_01: short(3000) })
}

/** A HEIF picture of 400x300 without pixels: its boxes contain size and EXIF (ISO 23008-12). */
export function heicWith(spec: PictureSpec): Buffer {
  const exif = Buffer.concat([Buffer.alloc(4), exifOf(spec)])
  const type = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const size = Buffer.alloc(12)
  size.writeUInt32BE(400, 4)
  size.writeUInt32BE(300, 8)
  const entry = box('infe', Buffer.from('\u0002\0\0\0\0\u0001\0\0Exif\0', 'latin1'))
  const items = box('iinf', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1]), entry]))
  const properties = box('iprp', box('ipco', box('ispe', size)))
  const metaOf = (offset: number): Buffer => {
    const place = Buffer.from([0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    place.writeUInt32BE(offset, 14)
    place.writeUInt32BE(exif.length, 18)
    return box('meta', Buffer.concat([Buffer.alloc(4), items, box('iloc', place), properties]))
  }
  return Buffer.concat([type, metaOf(type.length + metaOf(0).length + 8), box('mdat', exif)])
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

function exifOf(spec: PictureSpec, more: TiffTags = {}): Buffer {
  const { takenAt, offset, lens, iso, place, exposure, aperture, focalLength } = spec
  const exif: TiffTags = {
    ...(exposure !== undefined && { 0x82_9a: rational(exposure) }),
    ...(aperture !== undefined && { 0x82_9d: rational(aperture) }),
    ...(iso !== undefined && { 0x88_27: short(iso) }),
    ...(takenAt !== undefined && { 0x90_03: ascii(takenAt) }),
    ...(offset !== undefined && { 0x90_11: ascii(offset) }),
    ...(focalLength !== undefined && { 0x92_0a: rational(focalLength) }),
    ...(lens !== undefined && { 0xa4_34: ascii(lens) }),
  }
  const first: TiffTags = {
    ...more,
    ...(spec.description !== undefined && { 0x01_0e: ascii(spec.description) }),
    ...(spec.make !== undefined && { 0x01_0f: ascii(spec.make) }),
    ...(spec.model !== undefined && { 0x01_10: ascii(spec.model) }),
    ...(spec.orientation !== undefined && { 0x01_12: short(spec.orientation) }),
  }
  return tiffOf({ first, exif, ...(place !== undefined && { gps: placeTags(place) }) })
}

function placeTags({ latitude, longitude, altitude }: NonNullable<PictureSpec['place']>): TiffTags {
  const degrees = (values: readonly number[]) => rational(...values.map((value): Fraction => [value, 1]))
  return {
    1: ascii('N'),
    2: degrees(latitude),
    3: ascii('E'),
    4: degrees(longitude),
    5: byte(0),
    6: rational([altitude, 1]),
  }
}
