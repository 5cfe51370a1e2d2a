import { sql, type FragmentSqlToken } from 'slonik'
import { FIELDS, type Field, type Leaf, type Operator, type RuleNode } from '../rule-tree.ts'
import { numberOf } from '../rule-value.ts'

/** Where the texts of a field are found: what `item_facets` collects, and the mark under which it stands there. */
type Texts = { texts: FragmentSqlToken; mark: string | null }

const TEXTS: Readonly<Partial<Record<Field, Texts>>> = {
  genre: { texts: sql.fragment`rule_texts(m.said -> 'genres')`, mark: 'g:' },
  rating: { texts: sql.fragment`rule_texts(m.said -> 'rating')`, mark: 'r:' },
  title: { texts: sql.fragment`array[i.name]`, mark: null },
  studio: {
    texts: sql.fragment`rule_texts(m.said -> 'production_companies') || rule_texts(m.said -> 'studio')`,
    mark: 'c:',
  },
  director: { texts: sql.fragment`rule_texts(m.said -> 'director')`, mark: 'n:' },
  actor: {
    texts: sql.fragment`rule_texts(m.said -> (case when m.said ? 'actors' then 'actors' else 'cast' end))`,
    mark: 'a:',
  },
}

const NUMBERS: Readonly<Partial<Record<Field, FragmentSqlToken>>> = {
  year: sql.fragment`i.year::float8`,
  // As the column vote_average reads it, but as exact as a rule.
  criticScore: sql.fragment`
    case when jsonb_typeof(m.said -> 'vote_average') = 'number' and m.said -> 'vote_average' between '0' and '10'
      then (m.said -> 'vote_average')::float8 end`,
  addedAt: sql.fragment`floor(extract(epoch from i.added_at) * 1000)::float8 / 1000`,
}

/** What an item says in a field, with `i` for its row and `m.said` for all of its metadata: texts or, maybe null, a number. */
export function fieldValue(field: Field): FragmentSqlToken {
  const { texts, mark } = TEXTS[field] ?? {}
  if (texts === undefined) return NUMBERS[field] ?? sql.fragment`null::float8`
  if (mark === null) return texts
  // Most of what a scan writes has no facets at all, and then none of these.
  return sql.fragment`case when i.facets is null then '{}'::text[] else ${texts} end`
}

/** Stands between texts, and before and after them; no name that anybody reads has it. */
const SEPARATOR = '\u0001'

/**
 * The texts of a field in one, since a hundred rules that look for parts of names are to be asked of a hundred thousand items: empty for
 * none. With `v` for the row that holds the field.
 */
export function joinedTexts(field: Field): FragmentSqlToken {
  const texts = sql.fragment`v.${sql.identifier([field])}`
  return sql.fragment`
    case when cardinality(${texts}) = 0 then '' else ${SEPARATOR} || array_to_string(${texts}, ${SEPARATOR}) || ${SEPARATOR} end`
}

/**
 * A rule tree as a condition that is true or false, never null; `f` holds the fields that it asks for, by their names. What an index knows
 * about is asked of it too.
 */
export function conditionOf(node: RuleNode): FragmentSqlToken {
  if ('field' in node) return leafCondition(node)
  if (node.logic === 'not') return sql.fragment`not (${conditionOf(node.rules[0] ?? node)})`
  if (node.rules.length === 0) return node.logic === 'and' ? sql.fragment`true` : sql.fragment`false`
  const glue = node.logic === 'and' ? sql.fragment` and ` : sql.fragment` or `
  return sql.fragment`(${sql.join(node.rules.map(conditionOf), glue)})`
}

/** What the negated operators are the negation of. */
const POSITIVE = { notEquals: 'equals', notContains: 'contains', notIn: 'in' } as const

function leafCondition({ field, op, value }: Leaf): FragmentSqlToken {
  if (op === 'notEquals' || op === 'notContains' || op === 'notIn') {
    return sql.fragment`not (${leafCondition({ field, op: POSITIVE[op], value })})`
  }
  const values = (Array.isArray(value) ? value : [value]) as (string | number)[]
  if (FIELDS[field] === 'texts') return textsCondition(field, op, values.map(String))
  return sql.fragment`coalesce(${numberCondition(field, op, values.map(numberOf))}, false)`
}

const COMPARISONS: Readonly<Partial<Record<Operator, FragmentSqlToken>>> = {
  gt: sql.fragment`>`,
  gte: sql.fragment`>=`,
  lt: sql.fragment`<`,
  lte: sql.fragment`<=`,
}

function numberCondition(field: Field, op: Operator, values: readonly number[]): FragmentSqlToken {
  const column = sql.fragment`f.${sql.identifier([field])}`
  const [first = 0, second = 0] = values.map((value) => sql.fragment`${String(value)}::float8`)
  const comparison = COMPARISONS[op]
  if (comparison !== undefined) return sql.fragment`${column} ${comparison} ${first}`
  if (op === 'between') return sql.fragment`${column} between ${first} and ${second}`
  return sql.fragment`${column} = any (${sql.array(values.map(String), 'float8')})`
}

const PATTERNS: Readonly<Partial<Record<Operator, (wanted: string) => string>>> = {
  contains: (wanted) => wanted,
  startsWith: (wanted) => `${SEPARATOR}${wanted}`,
  endsWith: (wanted) => `${wanted}${SEPARATOR}`,
}

/** A field of several texts fits when one of them does. Compared is letter by letter, with regard to case. */
function textsCondition(field: Field, op: Operator, values: readonly string[]): FragmentSqlToken {
  const column = sql.fragment`f.${sql.identifier([field])}`
  const [wanted = ''] = values
  const part = PATTERNS[op]?.(wanted)
  if (part !== undefined) {
    const joined = sql.fragment`f.${sql.identifier([`${field} joined`])}`
    return part === '' ? sql.fragment`${joined} <> ''` : sql.fragment`strpos(${joined}, ${part}) > 0`
  }
  return sql.fragment`(${indexedCondition(field, values)} and ${column} && ${sql.array([...values], 'text')})`
}

/** Asking the index for more than a few words costs more than it saves. */
const MOST_INDEXED = 100

/** True of every item that says one of these texts, and of some more: facets are folded and cut. */
function indexedCondition(field: Field, values: readonly string[]): FragmentSqlToken {
  const mark = TEXTS[field]?.mark ?? null
  if (mark === null || values.length > MOST_INDEXED) return sql.fragment`true`
  return sql.fragment`i.facets && facet_words(${mark}, to_jsonb(${sql.array([...values], 'text')}))`
}
