/** What a field of an item holds: texts (none, one or several), a number, or a time in Unix seconds; the last two may be unknown. */
export const FIELDS = {
  genre: 'texts',
  year: 'number',
  /** The content rating, as PG-13. */
  rating: 'texts',
  /** What people give it, 0 to 10. */
  criticScore: 'number',
  title: 'texts',
  studio: 'texts',
  director: 'texts',
  actor: 'texts',
  addedAt: 'time',
} as const

export type Field = keyof typeof FIELDS

export const OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'notIn',
  'startsWith',
  'endsWith',
] as const

export type Operator = (typeof OPERATORS)[number]

/** A time is a number of Unix seconds, or a text as `2026-01-31` or `2026-01-31T12:00:00Z`. */
export type RuleValue = string | number | readonly (string | number)[]

/** A field of an item is compared with a value (document 2, Smart playlist). */
export type Leaf = { field: Field; op: Operator; value: RuleValue }

/** `and` needs all, `or` at least one; `not` has exactly one and turns it round. An `and` of nothing holds, an `or` of nothing does not. */
export type Group = { logic: 'and' | 'or' | 'not'; rules: RuleNode[] }

export type RuleNode = Group | Leaf
