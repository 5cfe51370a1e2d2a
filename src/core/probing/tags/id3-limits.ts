/** Limit for a list of genres; the parser needs quadratic time for it. */
const MAX_GENRES_BYTES = 16 * 1024

const MAX_FRAMES = 100_000

/**
 * Returns whether the frames of an ID3v2 tag (without its header of ten bytes) contain an excessive list of genres. `version` is 2, 3 or
 * 4: frames of version 2 have ids of three letters and sizes of three bytes; sizes of version 4 have seven bits per byte (id3.org).
 */
export function hasExcessiveGenres(frames: Uint8Array, version: number): boolean {
  const bytes = Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength)
  const [idLength, headLength] = version === 2 ? [3, 6] : [4, 10]
  let at = 0
  for (let count = 0; count < MAX_FRAMES && at + headLength <= bytes.length; count += 1) {
    const id = bytes.toString('latin1', at, at + idLength)
    if (!/^[A-Z][A-Z0-9]{2,3}$/.test(id)) return false
    const size = version === 4 ? sevenBitSize(bytes, at + 4) : bytes.readUIntBE(at + idLength, idLength)
    if ((id === 'TCON' || id === 'TCO') && size > MAX_GENRES_BYTES) return true
    at += headLength + size
  }
  return false
}

function sevenBitSize(bytes: Buffer, at: number): number {
  return bytes.subarray(at, at + 4).reduce((size, byte) => size * 128 + (byte & 127), 0)
}
