/** Of what is remembered of the database, the entries that were put there first go, until no more than `most` are left. */
export function evictOldest(remembered: Map<string, unknown>, most: number): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= most) break
    remembered.delete(oldest)
  }
}
