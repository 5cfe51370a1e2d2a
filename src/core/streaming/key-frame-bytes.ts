/**
 * Key frames as they are stored: the distance of each from the one before in microseconds, seven bits a byte, lowest
 * first, the eighth bit set where another byte follows (LEB128). A film of two hours takes about 10 KB.
 * @param from what the first distance counts from; not after the first key frame
 */
export function packKeyFrames(from: number, keyFrames: readonly number[]): Buffer {
  const bytes: number[] = []
  let before = from
  for (const at of keyFrames) {
    let left = at - before
    if (left < 0) throw new RangeError('key frames must be in order')
    while (left >= 128) {
      bytes.push((left % 128) + 128)
      left = Math.floor(left / 128)
    }
    bytes.push(left)
    before = at
  }
  return Buffer.from(bytes)
}

/** Reads them back; what is cut off in the middle of a number ends before it. */
export function unpackKeyFrames(from: number, bytes: Uint8Array): number[] {
  const keyFrames: number[] = []
  let [at, distance, factor] = [from, 0, 1]
  for (const byte of bytes) {
    distance += (byte % 128) * factor
    if (byte >= 128) {
      factor *= 128
      continue
    }
    at += distance
    keyFrames.push(at)
    ;[distance, factor] = [0, 1]
  }
  return keyFrames
}
