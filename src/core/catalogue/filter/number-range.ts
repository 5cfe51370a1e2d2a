/** A range of numbers. Both ends are inclusive; null: open. */
export type NumberRange = { from: number | null; to: number | null }
