import { rejectHeader } from './unsupported-header.ts'

/** Reads consecutive big-endian numbers and texts from a block. Reading past the end is rejected. */
export class ByteReader {
  readonly bytes: Uint8Array
  position = 0
  #view: DataView

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.bytes.length - this.position
  }

  #take(count: number): number {
    if (!(count >= 0 && count <= this.left)) rejectHeader('a header ends before its last field')
    this.position += count
    return this.position - count
  }

  skip(count: number): void {
    this.#take(count)
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2))
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2))
  }

  u24(): number {
    return this.u8() * 0x1_00_00 + this.u16()
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4))
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4))
  }

  /** Values beyond 2^53 are rounded; callers compare them with sizes, which are smaller. */
  u64(): number {
    return Number(this.#view.getBigUint64(this.#take(8)))
  }

  i64(): number {
    return Number(this.#view.getBigInt64(this.#take(8)))
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4))
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8))
  }

  /** The next bytes, not copied. */
  take(count: number): Uint8Array {
    const start = this.#take(count)
    return this.bytes.subarray(start, start + count)
  }

  /** Reads a text with one character per byte, as in the names of boxes and codecs. */
  latin1(count: number): string {
    return decodeLatin1(this.take(count))
  }
}

/** Converts bytes to a text with one character per byte. */
export function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Decodes up to the first NUL; invalid sequences become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const text = end === -1 ? bytes : bytes.subarray(0, end)
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')
}
