import { sql, type FragmentSqlToken } from 'slonik'
import { RULE_FIELDS, type RuleField, type RuleCondition, type RuleOperator, type RuleNode } from '../rule-tree.ts'
import { ruleValueAsNumber } from '../rule-value.ts'
import { timeCondition } from './times.ts'

/**
 * Separates the values stored in one text column; it also precedes the first value and follows the last. No value contains it (migration
 * 0028).
 */
export const TEXT_LIST_SEPARATOR = '\u0001'

/** `column` holds the values of a field (null if there are none); `mark` is the prefix of the field's entries in `item_facets`. */
type TextColumn = { column: FragmentSqlToken; mark: string }

export const TEXT_FIELD_COLUMNS: Readonly<Partial<Record<RuleField, TextColumn>>> = {
  genre: { column: sql.fragment`i.said_genres`, mark: 'g:' },
  rating: { column: sql.fragment`i.said_ratings`, mark: 'r:' },
  studio: { column: sql.fragment`i.said_studios`, mark: 'c:' },
  director: { column: sql.fragment`i.said_directors`, mark: 'n:' },
  actor: { column: sql.fragment`i.said_actors`, mark: 'a:' },
}

/**
 * A rule tree as a condition on the item row `i`: true if it matches, else false or null. Indexed conditions are added where an index
 * exists.
 */
export function ruleCondition(node: RuleNode): FragmentSqlToken {
  if ('field' in node) return leafCondition(node)
  if (node.logic === 'not') return sql.fragment`(${ruleCondition(node.rules[0] ?? node)}) is not true`
  if (node.rules.length === 0) return node.logic === 'and' ? sql.fragment`true` : sql.fragment`false`
  const glue = node.logic === 'and' ? sql.fragment` and ` : sql.fragment` or `
  return sql.fragment`(${sql.join(node.rules.map(ruleCondition), glue)})`
}

/** Maps each negated operator to its positive form. */
const POSITIVE = { notEquals: 'equals', notContains: 'contains', notIn: 'in' } as const

function leafCondition({ field, op, value }: RuleCondition): FragmentSqlToken {
  if (op === 'notEquals' || op === 'notContains' || op === 'notIn') {
    return sql.fragment`(${leafCondition({ field, op: POSITIVE[op], value })}) is not true`
  }
  const values = (Array.isArray(value) ? value : [value]) as (string | number)[]
  const texts = TEXT_FIELD_COLUMNS[field]
  if (texts !== undefined) return textsCondition(texts, op, values.map(String))
  if (RULE_FIELDS[field] === 'texts') return nameCondition(op, values.map(String))
  const numbers = values.map(ruleValueAsNumber)
  return RULE_FIELDS[field] === 'time' ? timeCondition(op, numbers) : numberCondition(field, op, numbers)
}

const COMPARISONS: Readonly<Partial<Record<RuleOperator, FragmentSqlToken>>> = {
  gt: sql.fragment`>`,
  gte: sql.fragment`>=`,
  lt: sql.fragment`<`,
  lte: sql.fragment`<=`,
}

function numberCondition(field: RuleField, op: RuleOperator, values: readonly number[]): FragmentSqlToken {
  const column = field === 'year' ? sql.fragment`i.year::float8` : sql.fragment`i.critic_score`
  const [first = 0, second = 0] = values.map((value) => sql.fragment`${String(value)}::float8`)
  const comparison = COMPARISONS[op]
  if (comparison !== undefined) return sql.fragment`${column} ${comparison} ${first}`
  if (op === 'between') return sql.fragment`(${column} between ${first} and ${second})`
  return sql.fragment`${column} = any (${sql.array(values.map(String), 'float8')})`
}

/** An item has exactly one name, so no separator is needed. */
function nameCondition(op: RuleOperator, values: readonly string[]): FragmentSqlToken {
  const [wanted = ''] = values
  if (op === 'contains') return sql.fragment`strpos(i.name, ${wanted}) > 0`
  if (op === 'startsWith') return sql.fragment`starts_with(i.name, ${wanted})`
  if (op === 'endsWith') return sql.fragment`right(i.name, ${Array.from(wanted).length}) = ${wanted}`
  return sql.fragment`i.name = any (${sql.array([...values], 'text')})`
}

/** The substring to search in a column of texts, by operator. */
const PATTERNS: Readonly<Partial<Record<RuleOperator, (wanted: string) => string>>> = {
  contains: (wanted) => wanted,
  startsWith: (wanted) => `${TEXT_LIST_SEPARATOR}${wanted}`,
  endsWith: (wanted) => `${wanted}${TEXT_LIST_SEPARATOR}`,
}

/** With more values than this, the column is split into an array and compared with all values in one operation. */
const MAX_PATTERNS = 8

/**
 * The condition is true if any value of the field matches, and null if the field has no values. The comparison is exact and case-sensitive.
 */
function textsCondition({ column, mark }: TextColumn, op: RuleOperator, values: readonly string[]): FragmentSqlToken {
  const [wanted = ''] = values
  const part = PATTERNS[op]?.(wanted)
  if (part === undefined) return isOneOf({ column, mark }, values)
  if (wanted.includes(TEXT_LIST_SEPARATOR)) return sql.fragment`false`
  return part === '' ? sql.fragment`${column} is not null` : holds(column, part)
}

function isOneOf({ column, mark }: TextColumn, values: readonly string[]): FragmentSqlToken {
  // The column never holds an empty value, but an empty pattern would match two adjacent separators.
  const words = values.filter((value) => value !== '' && !value.includes(TEXT_LIST_SEPARATOR))
  if (words.length === 0) return sql.fragment`false`
  const patterns = words.map((word) => holds(column, `${TEXT_LIST_SEPARATOR}${word}${TEXT_LIST_SEPARATOR}`))
  const isOne =
    words.length <= MAX_PATTERNS
      ? sql.join(patterns, sql.fragment` or `)
      : sql.fragment`string_to_array(${column}, ${TEXT_LIST_SEPARATOR}) && ${sql.array(words, 'text')}`
  return sql.fragment`((${isOne}) and ${indexedCondition(mark, words)})`
}

function holds(column: FragmentSqlToken, part: string): FragmentSqlToken {
  return sql.fragment`strpos(${column}, ${part}) > 0`
}

/** The index is used for at most this many values; beyond that the lookup costs more than it saves. */
const MAX_INDEXED_VALUES = 100

/** An index prefilter. It may have false positives, because facets are case-folded and truncated, but never misses a match. */
function indexedCondition(mark: string, values: readonly string[]): FragmentSqlToken {
  if (values.length > MAX_INDEXED_VALUES) return sql.fragment`true`
  return sql.fragment`i.facets && facet_words(${mark}, ${JSON.stringify(values)}::jsonb)`
}
