/** Formats of still pictures that are detected by their first bytes. */
export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif' | 'heic' | 'bmp' | 'jxl'

/** Number of first bytes that determine the format: the box with the brands of HEIF is seldom longer. */
export const SNIFFED_BYTES = 64

/** The media types of the IANA registry, and the usual one of BMP. */
export const PICTURE_CONTENT_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
  jxl: 'image/jxl',
}

/** Signatures at the beginning of a file, from the specifications of the formats. */
const SIGNATURES: readonly (readonly [signature: string, format: PictureFormat])[] = [
  ['\u00FF\u00D8\u00FF', 'jpeg'],
  ['\u0089PNG\r\n\u001A\n', 'png'],
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['II+\0', 'tiff'],
  ['MM\0+', 'tiff'],
  ['\u00FF\u000A', 'jxl'],
  ['\0\0\0\u000CJXL \r\n\u0087\n', 'jxl'],
  ['BM', 'bmp'],
]

/** Brands of pictures and picture sequences (ISO 23008-12, 10; AV1 Image File Format, 6). */
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis'])
const HEIC_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/**
 * Detects the format of a picture from its first bytes, regardless of its name. Undefined for everything else, and so for SVG, PDF, HTML
 * and scripts.
 */
export function detectPictureFormat(head: Uint8Array): PictureFormat | undefined {
  const text = Buffer.from(head.subarray(0, SNIFFED_BYTES)).toString('latin1')
  const matched = SIGNATURES.find(([signature]) => text.startsWith(signature))
  if (matched !== undefined) return matched[1]
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  return text.startsWith('ftyp', 4) ? heifFormat(head, text) : undefined
}

function heifFormat(head: Uint8Array, text: string): PictureFormat | undefined {
  const end = Math.min(Buffer.from(head).readUInt32BE(0), text.length)
  const brands = text.slice(8, end).match(/[^]{4}/g) ?? []
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'avif'
  return brands.some((brand) => HEIC_BRANDS.has(brand)) ? 'heic' : undefined
}
