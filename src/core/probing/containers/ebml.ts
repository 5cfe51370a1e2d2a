import { type HeaderSource, readUpTo } from './bounded-source.ts'
import { utf8Of } from './byte-view.ts'
import { rejectHeader } from './unsupported-header.ts'

/** Extensible Binary Meta Language (RFC 8794): the elements that Matroska is made of. */
export type Element = {
  id: number
  start: number
  dataStart: number
  /** Infinity where the writer left it open, as live streams do. */
  size: number
}

/** The longest identifier and the longest size; what a file's own header claims about them is not relied on. */
const HEAD_BYTES = 12
/** No real structure comes near; more is damage that costs time. */
const MAX_CHILDREN = 20_000

/** The element at `position`. @throws Doubt when there is none */
export function elementAt(source: HeaderSource, position: number): Element {
  const head = readUpTo(source, position, HEAD_BYTES)
  const { id, sizeAt } = identifierIn(head, 0)
  const { size, next } = sizeIn(head, sizeAt)
  return { id, start: position, dataStart: position + next, size }
}

/** All bytes of an element. @throws Doubt when the file ends before it does, or its size is open */
export function contentOf(source: HeaderSource, element: Element): Uint8Array {
  return source.read(element.dataStart, element.size)
}

/** An element in memory. */
export type Child = { id: number; data: Uint8Array }

/** The elements in a block, in their order. */
export function* eachChild(block: Uint8Array): Generator<Child> {
  let position = 0
  for (let count = 0; position < block.length; count += 1) {
    const { id, sizeAt } = identifierIn(block, position)
    const { size, next } = sizeIn(block, sizeAt)
    if (size > block.length - next) rejectHeader('an element is larger than what it stands in')
    if (count >= MAX_CHILDREN) rejectHeader('an element with too many others inside')
    yield { id, data: block.subarray(next, next + size) }
    position = next + size
  }
}

/** All of `eachChild`. */
export function childrenOf(block: Uint8Array): Child[] {
  return [...eachChild(block)]
}

/** The elements in a block by their identifiers; of several alike the last one counts. */
export type Fields = ReadonlyMap<number, Uint8Array>

/** Reads a block as `Fields`. @throws Doubt when it is damaged */
export function fieldsOf(block: Uint8Array): Fields {
  return new Map(childrenOf(block).map(({ id, data }) => [id, data]))
}

/** RFC 8794 5: one to four bytes, the marker bit stays in. */
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
  const { value, length } = variableInteger(block, position)
  // All bits set: the size is not known.
  return { size: value === 2 ** (7 * length) - 1 ? Infinity : value, next: position + length }
}

/** A number of one to eight bytes without its marker bit (RFC 8794 4). Beyond 2^53 it is rounded: no file is that large. */
export function variableInteger(block: Uint8Array, position: number): { value: number; length: number } {
  const first = block[position] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || position + length > block.length) rejectHeader('a number of an element is damaged')
  let value = first & (0xff >> length)
  for (let index = 1; index < length; index += 1) value = value * 256 + (block[position + index] ?? 0)
  return { value, length }
}

/** An unsigned integer (RFC 8794 7.2); `missing` where there is none. */
export function unsignedOf<T>(data: Uint8Array | undefined, missing: T): number | T {
  if (data === undefined) return missing
  if (data.length > 8) rejectHeader('a number of more than eight bytes')
  let value = 0
  for (const byte of data) value = value * 256 + byte
  return value
}

/** A float of four or eight bytes (RFC 8794 7.3). */
export function floatOf(data: Uint8Array | undefined): number | undefined {
  if (data === undefined || data.length === 0) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length === 4) return view.getFloat32(0)
  return data.length === 8 ? view.getFloat64(0) : rejectHeader('a float of an unusual length')
}

/** A text (RFC 8794 7.4, 7.5) up to its first NUL. */
export function textOf(data: Uint8Array | undefined): string | undefined {
  return data === undefined ? undefined : utf8Of(data)
}
