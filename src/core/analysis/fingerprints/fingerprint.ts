/**
 * An audio fingerprint of Chromaprint (algorithm 1) in raw form: one 32-bit hash for every `HASH_STEP_SECONDS` of sound. Similar sound has
 * hashes that differ in few bits. https://acoustid.org/chromaprint
 */
export type Fingerprint = Uint32Array

/** The distance between two hashes: Chromaprint's step of 1,365 samples at 11,025 Hz. */
export const HASH_STEP_SECONDS = 1365 / 11_025

/** A range of hashes; `end` is exclusive. */
export type HashRange = Readonly<{ first: number; end: number }>

/** The number of hashes that cover this many seconds. */
export function hashCountForSeconds(seconds: number): number {
  return Math.ceil(seconds / HASH_STEP_SECONDS)
}

/** Reads the output of ffmpeg's `chromaprint` muxer in the format `raw`; an incomplete hash at the end is left out. */
export function readFingerprint(bytes: Uint8Array): Fingerprint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hashes = new Uint32Array(Math.floor(bytes.byteLength / 4))
  for (let index = 0; index < hashes.length; index += 1) hashes[index] = view.getUint32(index * 4, true)
  return hashes
}
