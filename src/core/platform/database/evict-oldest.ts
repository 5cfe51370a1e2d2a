/** Evicts the oldest entries of a cache of database values until at most `most` entries remain. */
export function evictOldest(cache: Map<string, unknown>, max: number): void {
  for (const oldest of cache.keys()) {
    if (cache.size <= max) break
    cache.delete(oldest)
  }
}
