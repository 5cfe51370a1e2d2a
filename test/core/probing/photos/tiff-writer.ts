type Value =
  | { type: 'ascii'; text: string }
  | { type: 'short' | 'byte'; number: number }
  | { type: 'rational'; pairs: readonly (readonly [number, number])[] }

export type TiffTags = Readonly<Record<number, Value>>

export const ascii = (text: string): Value => ({ type: 'ascii', text })
export const short = (number: number): Value => ({ type: 'short', number })
export const byte = (number: number): Value => ({ type: 'byte', number })
export const rational = (...pairs: readonly (readonly [number, number])[]): Value => ({ type: 'rational', pairs })

const TYPES = { byte: 1, ascii: 2, short: 3, rational: 5 } as const
const EXIF_POINTER = 0x87_69
const GPS_POINTER = 0x88_25

/** A little-endian TIFF structure with a first directory, EXIF and GPS (TIFF 6.0, 2; Exif 2.32, 4.6). */
export function tiffOf({ first = {}, exif, gps }: { first?: TiffTags; exif?: TiffTags; gps?: TiffTags }): Buffer {
  const pointers = {
    ...(exif === undefined ? {} : { [EXIF_POINTER]: exif }),
    ...(gps === undefined ? {} : { [GPS_POINTER]: gps }),
  }
  const parts: Buffer[] = []
  let at = 8 + directorySize(first, Object.keys(pointers).length)
  const links: [number, number][] = []
  for (const [tag, tags] of Object.entries(pointers)) {
    links.push([Number(tag), at])
    const part = directory(tags, at, [])
    parts.push(part)
    at += part.length
  }
  const head = Buffer.from('II*\0\u0008\0\0\0', 'latin1')
  return Buffer.concat([head, directory(first, 8, links), ...parts])
}

/** A JPEG of 64x48 with only this EXIF block. */
export function jpegOf(tiff: Buffer, xmp?: string): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 48, 0, 64, 1, 1, 0x11, 0])
  const packet = xmp === undefined ? [] : [segment(Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`))]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(Buffer.concat([Buffer.from('Exif\0\0'), tiff])),
    ...packet,
    frame,
  ])
}

function segment(body: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

function directorySize(tags: TiffTags, extra: number): number {
  return (
    2 +
    (Object.keys(tags).length + extra) * 12 +
    4 +
    Object.values(tags).reduce((sum, value) => sum + outside(value).length, 0)
  )
}

function directory(tags: TiffTags, start: number, links: readonly (readonly [number, number])[]): Buffer {
  const rows = [...Object.entries(tags), ...links].toSorted((a, b) => Number(a[0]) - Number(b[0]))
  const heap: Buffer[] = []
  let heapAt = start + 2 + rows.length * 12 + 4
  const entries = rows.map(([tag, value]) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt16LE(Number(tag), 0)
    if (typeof value === 'number') {
      entry.writeUInt16LE(4, 2)
      entry.writeUInt32LE(1, 4)
      entry.writeUInt32LE(value, 8)
      return entry
    }
    const body = bodyOf(value)
    entry.writeUInt16LE(TYPES[value.type], 2)
    entry.writeUInt32LE(value.type === 'ascii' ? body.length : value.type === 'rational' ? value.pairs.length : 1, 4)
    if (body.length <= 4) body.copy(entry, 8)
    else {
      entry.writeUInt32LE(heapAt, 8)
      heap.push(body)
      heapAt += body.length
    }
    return entry
  })
  const count = Buffer.alloc(2)
  count.writeUInt16LE(rows.length)
  return Buffer.concat([count, ...entries, Buffer.alloc(4), ...heap])
}

function outside(value: Value): Buffer {
  const body = bodyOf(value)
  return body.length <= 4 ? Buffer.alloc(0) : body
}

function bodyOf(value: Value): Buffer {
  if (value.type === 'ascii') return Buffer.from(`${value.text}\0`, 'latin1')
  if (value.type !== 'rational')
    return Buffer.from([value.number & 255, value.number >> 8, 0, 0]).subarray(0, value.type === 'short' ? 2 : 1)
  const body = Buffer.alloc(value.pairs.length * 8)
  for (const [index, [top, bottom]] of value.pairs.entries()) {
    body.writeUInt32LE(top, index * 8)
    body.writeUInt32LE(bottom, index * 8 + 4)
  }
  return body
}
