const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Natural order: `Chapter 2` before `Chapter 10`, ignoring case. The order of equal names is stable. */
export function compareNaturally(one: string, other: string): number {
  return COLLATOR.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}
