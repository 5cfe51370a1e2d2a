/** The kind of each field: texts (none, one or several), a number, or a time in Unix seconds; the last two may be null. */
export const RULE_FIELDS = {
  genre: 'texts',
  year: 'number',
  /** The content rating, such as PG-13. */
  rating: 'texts',
  /** The community rating, 0 to 10. */
  criticScore: 'number',
  title: 'texts',
  studio: 'texts',
  director: 'texts',
  actor: 'texts',
  addedAt: 'time',
} as const

export type RuleField = keyof typeof RULE_FIELDS

export const RULE_OPERATORS = [
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

export type RuleOperator = (typeof RULE_OPERATORS)[number]

/** A time is a number of Unix seconds, or a text such as `2026-01-31` or `2026-01-31T12:00:00Z`. */
export type RuleValue = string | number | readonly (string | number)[]

/** A comparison of a field of an item with a value. */
export type RuleCondition = { field: RuleField; op: RuleOperator; value: RuleValue }

/** `and` needs all, `or` at least one; `not` has exactly one and negates it. An empty `and` is true, an empty `or` is false. */
export type RuleGroup = { logic: 'and' | 'or' | 'not'; rules: RuleNode[] }

export type RuleNode = RuleGroup | RuleCondition
