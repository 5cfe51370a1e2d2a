/**
 * Packs key frames for storage, as the distance of each from its predecessor in microseconds. A film of two hours takes about 10 KB.
 * @param from origin of the first distance; not after the first key frame
 */
export function packKeyFrames(from: number, keyFrames: readonly number[]): Buffer {
  return packIntegers(keyFrames.map((at, index) => at - (keyFrames[index - 1] ?? from)))
}

/** Unpacks key frames. A truncated number at the end is ignored. */
export function unpackKeyFrames(from: number, bytes: Uint8Array): number[] {
  let at = from
  return unpackIntegers(bytes).map((distance) => {
    at += distance
    return at
  })
}

/** Packs non-negative integers as LEB128: seven bits per byte, least significant first, the eighth bit set if another byte follows. */
export function packIntegers(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  for (const number of numbers) {
    if (number < 0) throw new RangeError('a negative number cannot be packed')
    let left = number
    while (left >= 128) {
      bytes.push((left % 128) + 128)
      left = Math.floor(left / 128)
    }
    bytes.push(left)
  }
  return Buffer.from(bytes)
}

/** Unpacks integers. A truncated number at the end is ignored. */
export function unpackIntegers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let [number, factor] = [0, 1]
  for (const byte of bytes) {
    number += (byte % 128) * factor
    factor *= 128
    if (byte >= 128) continue
    numbers.push(number)
    ;[number, factor] = [0, 1]
  }
  return numbers
}
