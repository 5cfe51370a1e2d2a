/**
 * A compact set of the visited folders: the first eight bytes of their path hashes in 16 bytes each, where a Set of strings takes over a
 * hundred. Among a million folders, the probability of a collision is one in 37 million; a collision means that a removed folder is not
 * noticed.
 */
export type VisitedFolders = {
  /** @param pathHash hash of the folder's path, at least eight bytes */
  add(pathHash: Buffer): void
  has(pathHash: Buffer): boolean
}

const INITIAL_SLOTS = 1024

/** Open addressing with linear probing, at most half full (Knuth, The Art of Computer Programming 3, 6.4). */
export function createVisitedFolders(): VisitedFolders {
  let slots = new BigUint64Array(INITIAL_SLOTS)
  let count = 0

  const slotOf = (key: bigint, table: BigUint64Array): number => {
    const mask = table.length - 1
    let slot = Number(key & BigInt(mask))
    while (table[slot] !== 0n && table[slot] !== key) slot = (slot + 1) & mask
    return slot
  }
  const grow = (): void => {
    const larger = new BigUint64Array(slots.length * 2)
    for (const key of slots) if (key !== 0n) larger[slotOf(key, larger)] = key
    slots = larger
  }

  return {
    add(pathHash) {
      const key = keyOf(pathHash)
      const slot = slotOf(key, slots)
      if (slots[slot] === key) return
      slots[slot] = key
      count += 1
      if (count * 2 > slots.length) grow()
    },
    has(pathHash) {
      const key = keyOf(pathHash)
      return slots[slotOf(key, slots)] === key
    },
  }
}

/** 0 marks a free slot, so no key is 0. */
function keyOf(pathHash: Buffer): bigint {
  const key = pathHash.readBigUInt64LE(0)
  return key === 0n ? 1n : key
}
