const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares names as people count: `Chapter 2` before `Chapter 10`, without regard to case. Equal names keep a fixed order. */
export function compareNaturally(one: string, other: string): number {
  return COLLATOR.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}
