import type { ByteSource } from '../../platform/files/index.ts'
import type { ImageMetadata } from './probed-photo.ts'

const MAX_BOXES = 200
const MAX_META_BYTES = 4 * 1024 * 1024
const MAX_ITEM_BYTES = 4 * 1024 * 1024
const MAX_ITEMS = 10_000

/** EXIF orientations by HEIF `angle`, which counts counterclockwise quarter turns. */
const ORIENTATION_BY_ANGLE = [1, 8, 3, 6]

type Box = { type: string; body: Buffer }
type Extent = { offset: number; length: number }

/**
 * Reads size, rotation, EXIF and XMP of a HEIF picture (HEIC, AVIF): items of the `meta` box (ISO 23008-12, ISO 14496-12 8.11). Undefined
 * for other files of the family, such as videos.
 */
export function readHeifMetadata(source: ByteSource): ImageMetadata | undefined {
  const brands = Buffer.from(source.read(8, 64)).toString('latin1')
  const mime = /avif|avis/.test(brands)
    ? 'image/avif'
    : /hei[cxms]|hev[cxms]|mif1|msf1/.test(brands)
      ? 'image/heic'
      : undefined
  const meta = mime === undefined ? undefined : findMeta(source)
  if (mime === undefined || meta === undefined) return undefined
  const boxes = boxesIn(meta.subarray(4))
  const items = itemTypes(bodyOf(boxes, 'iinf'))
  const places = itemPlaces(bodyOf(boxes, 'iloc'))
  const item = (wanted: (type: string) => boolean): Buffer | null => {
    const id = [...items].find(([, type]) => wanted(type))?.[0]
    const extent = id === undefined ? undefined : places.get(id)
    if (extent === undefined || extent.length > MAX_ITEM_BYTES) return null
    return Buffer.from(source.read(extent.offset, extent.length))
  }
  const exif = item((type) => type.startsWith('Exif'))
  return {
    mime,
    ...propertiesOf(boxes),
    // The item begins with the offset of the TIFF header.
    exif: exif === null || exif.length < 4 ? null : exif.subarray(Math.min(exif.length, 4 + exif.readUInt32BE(0))),
    xmp: item((type) => type.startsWith('mime') && type.includes('rdf+xml'))?.toString('utf8') ?? null,
  }
}

function findMeta(source: ByteSource): Buffer | undefined {
  let at = 0
  for (let count = 0; count < MAX_BOXES; count += 1) {
    const head = Buffer.from(source.read(at, 16))
    if (head.length < 16) return undefined
    const isLong = head.readUInt32BE(0) === 1
    const length = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0)
    const headLength = isLong ? 16 : 8
    if (length < headLength || !Number.isSafeInteger(at + length)) return undefined
    if (head.toString('latin1', 4, 8) === 'meta') {
      return length > MAX_META_BYTES ? undefined : Buffer.from(source.read(at + headLength, length - headLength))
    }
    at += length
  }
  return undefined
}

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length && boxes.length < MAX_BOXES;) {
    const length = bytes.readUInt32BE(at)
    const end = length === 0 ? bytes.length : at + length
    if (end < at + 8 || end > bytes.length) break
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, end) })
    at = end
  }
  return boxes
}

function bodyOf(boxes: readonly Box[], type: string): Buffer {
  return boxes.find((box) => box.type === type)?.body ?? Buffer.alloc(0)
}

/** Maps item numbers to types, for `mime` items including the content type. Only entries of version 2 and 3 are pictures. */
function itemTypes(iinf: Buffer): Map<number, string> {
  const types = new Map<number, string>()
  if (iinf.length < 8) return types
  for (const { type, body } of boxesIn(iinf.subarray(iinf[0] === 0 ? 6 : 8))) {
    const idLength = body[0] === 3 ? 4 : 2
    if (type !== 'infe' || (body[0] ?? 0) < 2 || body.length < 10 + idLength) continue
    types.set(body.readUIntBE(4, idLength), body.toString('latin1', 6 + idLength).slice(0, 200))
  }
  return types
}

/** Maps item numbers to their extent in the file. Items with several extents or inside other boxes are ignored. */
function itemPlaces(iloc: Buffer): Map<number, Extent> {
  const places = new Map<number, Extent>()
  if (iloc.length < 8) return places
  const version = iloc[0] ?? 0
  const wide = version === 2 ? 4 : 2
  const cursor = new Cursor(iloc, 6)
  const count = Math.min(cursor.take(wide), MAX_ITEMS)
  for (let index = 0; index < count && !cursor.isAtEnd; index += 1) {
    const id = cursor.take(wide)
    const isInFile = version === 0 || (cursor.take(2) & 15) === 0
    const extents = extentsAt(cursor, sizesOf(iloc))
    const [only] = extents
    if (isInFile && extents.length === 1 && only !== undefined) places.set(id, only)
  }
  return places
}

type FieldSizes = { offset: number; length: number; base: number; index: number }

function sizesOf(iloc: Buffer): FieldSizes {
  const [version = 0, , , , first = 0, second = 0] = iloc
  return { offset: first >> 4, length: first & 15, base: second >> 4, index: version === 0 ? 0 : second & 15 }
}

function extentsAt(cursor: Cursor, sizes: FieldSizes): Extent[] {
  // Data reference index; data is always in this file.
  cursor.take(2)
  const base = cursor.take(sizes.base)
  const count = cursor.take(2)
  const extents: Extent[] = []
  for (let index = 0; index < count && !cursor.isAtEnd; index += 1) {
    cursor.take(sizes.index)
    const offset = base + cursor.take(sizes.offset)
    const length = cursor.take(sizes.length)
    if (Number.isSafeInteger(offset)) extents.push({ offset, length })
  }
  return extents
}

/** Reads consecutive numbers; returns zero past the end. */
class Cursor {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** `size` is 0, 2, 4 or 8 bytes. */
  take(size: number): number {
    const at = this.#at
    this.#at += size
    if (size === 0 || this.#at > this.#bytes.length) return 0
    return size === 8 ? Number(this.#bytes.readBigUInt64BE(at)) : this.#bytes.readUIntBE(at, Math.min(size, 6))
  }
}

/** Returns size and rotation. The largest extent is the picture; smaller extents are tiles and thumbnails. The first rotation applies. */
function propertiesOf(boxes: readonly Box[]): Pick<ImageMetadata, 'size' | 'orientation'> {
  const properties = boxesIn(bodyOf(boxesIn(bodyOf(boxes, 'iprp')), 'ipco'))
  const sizes = properties
    .filter(({ type, body }) => type === 'ispe' && body.length >= 12)
    .map(({ body }) => ({ width: body.readUInt32BE(4), height: body.readUInt32BE(8) }))
  const angle = (properties.find(({ type }) => type === 'irot')?.body[0] ?? 0) & 3
  return {
    size: sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0] ?? null,
    orientation: ORIENTATION_BY_ANGLE[angle] ?? 1,
  }
}
