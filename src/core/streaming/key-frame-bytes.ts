/**
 * Key frames as they are stored: the distance of each from the one before in microseconds, packed. A film of two hours takes about 10 KB.
 * @param from what the first distance counts from; not after the first key frame
 */
export function packKeyFrames(from: number, keyFrames: readonly number[]): Buffer {
  return packNumbers(keyFrames.map((at, place) => at - (keyFrames[place - 1] ?? from)))
}

/** Reads them back; what is cut off in the middle of a number ends before it. */
export function unpackKeyFrames(from: number, bytes: Uint8Array): number[] {
  let at = from
  return unpackNumbers(bytes).map((distance) => {
    at += distance
    return at
  })
}

/** Whole numbers, none negative: seven bits a byte, lowest first, the eighth bit set where another byte follows (LEB128). */
export function packNumbers(numbers: readonly number[]): Buffer {
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

/** Reads them back; what is cut off in the middle of a number ends before it. */
export function unpackNumbers(bytes: Uint8Array): number[] {
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
