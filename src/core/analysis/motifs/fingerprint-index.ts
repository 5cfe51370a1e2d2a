import type { Fingerprint } from '../fingerprints/fingerprint.ts'

/** A hash that occurs more often in one file comes from silence or a steady hum. It would match everywhere. */
const MAX_OCCURRENCES = 12

/** A fingerprint with the positions of each of its distinctive hashes. */
export type FingerprintIndex = Readonly<{ hashes: Fingerprint; positions: ReadonlyMap<number, readonly number[]> }>

/** Indexes a fingerprint for `alignPair`. */
export function indexFingerprint(hashes: Fingerprint): FingerprintIndex {
  const positions = new Map<number, number[]>()
  for (const [position, hash] of hashes.entries()) {
    const known = positions.get(hash)
    if (known === undefined) positions.set(hash, [position])
    else known.push(position)
  }
  for (const [hash, places] of positions) if (places.length > MAX_OCCURRENCES) positions.delete(hash)
  return { hashes, positions }
}
