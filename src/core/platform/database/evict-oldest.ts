/** Evicts the oldest entries of a cache of database values until at most `most` entries remain. */
export function evictOldest(remembered: Map<string, unknown>, most: number): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= most) break
    remembered.delete(oldest)
  }
}
