import { rejectHeader } from './unsupported-header.ts'

/** No field of a parameter set is longer; a longer run of zeros indicates damage. */
const MAX_PREFIX_BITS = 31

/** Reads bits, most significant first. Reading past the end is rejected. */
export class BitReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The number of remaining bits. */
  get left(): number {
    return this.#bytes.length * 8 - this.#position
  }

  bit(): number {
    if (this.left < 1) rejectHeader('a codec configuration ends before its last field')
    const byte = this.#bytes[this.#position >> 3] ?? 0
    const bit = (byte >> (7 - (this.#position & 7))) & 1
    this.#position += 1
    return bit
  }

  flag(): boolean {
    return this.bit() === 1
  }

  /** Reads a number of at most 32 bits. */
  bits(count: number): number {
    let value = 0
    for (let index = 0; index < count; index += 1) value = value * 2 + this.bit()
    return value
  }

  skip(count: number): void {
    if (!(count >= 0 && count <= this.left)) rejectHeader('a codec configuration ends before its last field')
    this.#position += count
  }

  /** ue(v), ITU-T H.264 9.1. */
  unsignedGolomb(): number {
    let zeros = 0
    while (this.bit() === 0) {
      zeros += 1
      if (zeros > MAX_PREFIX_BITS) rejectHeader('a codec configuration holds an impossible number')
    }
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  /** se(v), ITU-T H.264 9.1.1. */
  signedGolomb(): number {
    const code = this.unsignedGolomb()
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2
  }
}

/** Returns the payload of a NAL unit without emulation prevention bytes (ITU-T H.264 7.4.1): `00 00 03` represents `00 00`. */
export function removeEmulationPrevention(unit: Uint8Array): Uint8Array {
  const payload = new Uint8Array(unit.length)
  let length = 0
  let zeros = 0
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    payload[length] = byte
    length += 1
  }
  return payload.subarray(0, length)
}
