/** A range of numbers. Both ends are inclusive; null: open. */
export type Range = { from: number | null; to: number | null }
