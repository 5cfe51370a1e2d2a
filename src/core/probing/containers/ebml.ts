import { type HeaderSource, readUpTo } from './limit-header-reads.ts'
import { decodeUtf8 } from './byte-reader.ts'
import { rejectHeader } from './unsupported-header.ts'

/** An element of the Extensible Binary Meta Language (RFC 8794), the basis of Matroska. */
export type EbmlElement = {
  id: number
  start: number
  dataStart: number
  /** Infinity for an element of unknown size, as in live streams. */
  size: number
}

/** The longest identifier plus the longest size. The limits that a file declares itself are ignored. */
const HEAD_BYTES = 12
/** Far above any real structure; larger counts indicate damage and cost time. */
const MAX_CHILDREN = 20_000

/** Reads the element at `position`. @throws UnsupportedHeader if there is none */
export function readElement(source: HeaderSource, position: number): EbmlElement {
  const head = readUpTo(source, position, HEAD_BYTES)
  const { id, sizeAt } = identifierIn(head, 0)
  const { size, next } = sizeIn(head, sizeAt)
  return { id, start: position, dataStart: position + next, size }
}

/** Returns all bytes of an element. @throws UnsupportedHeader if the file ends before it does, or its size is unknown */
export function readElementContent(source: HeaderSource, element: EbmlElement): Uint8Array {
  return source.read(element.dataStart, element.size)
}

/** An element in memory. */
export type ChildElement = { id: number; data: Uint8Array }

/** Yields the elements in a block in order. */
export function* iterateChildren(block: Uint8Array): Generator<ChildElement> {
  let position = 0
  for (let count = 0; position < block.length; count += 1) {
    const { id, sizeAt } = identifierIn(block, position)
    const { size, next } = sizeIn(block, sizeAt)
    if (size > block.length - next) rejectHeader('an element is larger than its parent')
    if (count >= MAX_CHILDREN) rejectHeader('an element with too many others inside')
    yield { id, data: block.subarray(next, next + size) }
    position = next + size
  }
}

/** Returns all elements of `iterateChildren`. */
export function parseChildren(block: Uint8Array): ChildElement[] {
  return [...iterateChildren(block)]
}

/** The elements in a block by identifier; of several with one identifier the last is used. */
export type ElementFields = ReadonlyMap<number, Uint8Array>

/** Reads a block as `Fields`. @throws UnsupportedHeader if it is damaged */
export function parseFields(block: Uint8Array): ElementFields {
  return new Map(parseChildren(block).map(({ id, data }) => [id, data]))
}

/** RFC 8794 5: one to four bytes including the marker bit. */
function identifierIn(block: Uint8Array, position: number): { id: number; sizeAt: number } {
  const first = block[position] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 4 || position + length > block.length) rejectHeader('no element where one should begin')
  let id = 0
  for (let index = 0; index < length; index += 1) id = id * 256 + (block[position + index] ?? 0)
  return { id, sizeAt: position + length }
}

/** RFC 8794 6. */
function sizeIn(block: Uint8Array, position: number): { size: number; next: number } {
  const { value, length } = readVariableInteger(block, position)
  // All bits set: the size is unknown.
  return { size: value === 2 ** (7 * length) - 1 ? Infinity : value, next: position + length }
}

/** Reads a number of one to eight bytes without its marker bit (RFC 8794 4). Values beyond 2^53 are rounded; no file is that large. */
export function readVariableInteger(block: Uint8Array, position: number): { value: number; length: number } {
  const first = block[position] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || position + length > block.length) rejectHeader('a number of an element is damaged')
  let value = first & (0xff >> length)
  for (let index = 1; index < length; index += 1) value = value * 256 + (block[position + index] ?? 0)
  return { value, length }
}

/** Reads an unsigned integer (RFC 8794 7.2); returns `missing` without data. */
export function readUnsigned<T>(data: Uint8Array | undefined, missing: T): number | T {
  if (data === undefined) return missing
  if (data.length > 8) rejectHeader('a number of more than eight bytes')
  let value = 0
  for (const byte of data) value = value * 256 + byte
  return value
}

/** A float of four or eight bytes (RFC 8794 7.3). */
export function readFloat(data: Uint8Array | undefined): number | undefined {
  if (data === undefined || data.length === 0) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length === 4) return view.getFloat32(0)
  return data.length === 8 ? view.getFloat64(0) : rejectHeader('a float of an unusual length')
}

/** Reads a text (RFC 8794 7.4, 7.5) up to its first NUL. */
export function readText(data: Uint8Array | undefined): string | undefined {
  return data === undefined ? undefined : decodeUtf8(data)
}
