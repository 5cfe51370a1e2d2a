import type { RULE_FIELDS, RuleOperator, RuleValue } from './rule-tree.ts'

export type FieldKind = (typeof RULE_FIELDS)[keyof typeof RULE_FIELDS]

/** The operators of each kind of field, with the number of values that each takes. */
const FORMS: Readonly<Record<FieldKind, Partial<Record<RuleOperator, 'one' | 'list' | 'range'>>>> = {
  texts: {
    equals: 'one',
    notEquals: 'one',
    contains: 'one',
    notContains: 'one',
    startsWith: 'one',
    endsWith: 'one',
    in: 'list',
    notIn: 'list',
  },
  number: numeric(),
  time: numeric(),
}

const MAX_VALUES = 1000
const MAX_CHARACTERS = 1000

/** `2026-01-31`, with or without a time of day; without an offset it is in UTC. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)?)?$/

type CheckedValue = { value: RuleValue } | { at: 'op' | 'value'; problem: string }

/** Whether an operator and a value fit a kind of field. Texts and numbers are not converted. */
export function isValidRuleValue({
  kind,
  op,
  value,
}: {
  kind: FieldKind
  op: RuleOperator
  value: unknown
}): CheckedValue {
  const form = FORMS[kind][op]
  if (form === undefined)
    return { at: 'op', problem: `is not for a field of ${kind === 'texts' ? 'texts' : 'numbers'}` }
  const values: unknown[] = form === 'one' ? [value] : Array.isArray(value) ? value : []
  if (form === 'list' && (!Array.isArray(value) || value.length > MAX_VALUES)) {
    return { at: 'value', problem: `must be a list of at most ${MAX_VALUES}` }
  }
  if (form === 'range' && values.length !== 2) return { at: 'value', problem: 'must be [from, to]' }
  if (!values.every((one) => hasKind(kind, one))) return { at: 'value', problem: WANTED[kind] }
  if (form === 'range' && !isAscending(values)) return { at: 'value', problem: 'must not end before it begins' }
  return { value: form === 'one' ? (values[0] ?? '') : values }
}

const WANTED: Readonly<Record<FieldKind, string>> = {
  texts: `must be text of at most ${MAX_CHARACTERS} characters`,
  number: 'must be a number',
  time: 'must be a number of Unix seconds or a date',
}

function numeric(): Partial<Record<RuleOperator, 'one' | 'list' | 'range'>> {
  return {
    equals: 'one',
    notEquals: 'one',
    gt: 'one',
    gte: 'one',
    lt: 'one',
    lte: 'one',
    between: 'range',
    in: 'list',
    notIn: 'list',
  }
}

function hasKind(kind: FieldKind, value: unknown): value is string | number {
  if (kind === 'texts') {
    return typeof value === 'string' && value.length <= MAX_CHARACTERS && value.isWellFormed() && !value.includes('\0')
  }
  if (typeof value === 'number') return Number.isFinite(value)
  return kind === 'time' && typeof value === 'string' && TIME.test(value) && !Number.isNaN(ruleValueAsNumber(value))
}

function isAscending([from = 0, to = 0]: readonly (string | number)[]): boolean {
  return ruleValueAsNumber(from) <= ruleValueAsNumber(to)
}

/** A value of a rule as a number; of a time as Unix seconds. */
export function ruleValueAsNumber(value: string | number): number {
  if (typeof value === 'number') return value
  const isWithOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(value.slice(10))
  const time = value.replace(' ', 'T')
  return Date.parse(value.length > 10 && !isWithOffset ? `${time}Z` : time) / 1000
}
