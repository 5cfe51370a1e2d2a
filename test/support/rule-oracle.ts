import type { RuleField, RuleCondition, RuleOperator, RuleNode } from '../../src/core/smart-playlists/rule-tree.ts'

/** The fields that rules use, as the database stores them. */
export type RuledItem = {
  id: string
  name: string
  year: number | null
  addedAt: Date
  metadata: Record<string, unknown>
  localMetadata: Record<string, unknown>
}

/**
 * Whether an item matches a rule tree, computed from the documented semantics without the database: the reference for the product's SQL.
 */
export function fits(item: RuledItem, node: RuleNode): boolean {
  if ('field' in node) return fitsLeaf(item, node)
  if (node.logic === 'and') return node.rules.every((rule) => fits(item, rule))
  if (node.logic === 'or') return node.rules.some((rule) => fits(item, rule))
  return !node.rules.every((rule) => fits(item, rule))
}

function fitsLeaf(item: RuledItem, { field, op, value }: RuleCondition): boolean {
  const said = valuesOf(item, field)
  const wanted = (Array.isArray(value) ? value : [value]).map((one: string | number) =>
    field === 'addedAt' && typeof one === 'string' ? Date.parse(one) / 1000 : one,
  )
  const isPositive = !Object.hasOwn(NEGATIONS, op)
  const test = TESTS[NEGATIONS[op] ?? op]
  return said.some((one) => test?.(one, wanted) === true) === isPositive
}

const NEGATIONS: Partial<Record<RuleOperator, RuleOperator>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}

const includes = (one: string | number, wanted: readonly (string | number)[]) => wanted.includes(one)

const TESTS: Partial<Record<RuleOperator, (one: string | number, wanted: readonly (string | number)[]) => boolean>> = {
  equals: includes,
  in: includes,
  contains: (one, [text]) => String(one).includes(String(text)),
  startsWith: (one, [text]) => String(one).startsWith(String(text)),
  endsWith: (one, [text]) => String(one).endsWith(String(text)),
  gt: (one, [bound = 0]) => one > bound,
  gte: (one, [bound = 0]) => one >= bound,
  lt: (one, [bound = 0]) => one < bound,
  lte: (one, [bound = 0]) => one <= bound,
  between: (one, [from = 0, to = 0]) => one >= from && one <= to,
}

/** Cache of field values, which thousands of rules read. */
const valueCache = new WeakMap<RuledItem, Map<RuleField, readonly (string | number)[]>>()

function valuesOf(item: RuledItem, field: RuleField): readonly (string | number)[] {
  const fields = valueCache.get(item) ?? new Map<RuleField, readonly (string | number)[]>()
  valueCache.set(item, fields)
  const values = fields.get(field) ?? readValues(item, field)
  fields.set(field, values)
  return values
}

/** Empty if the item has no value. */
function readValues(item: RuledItem, field: RuleField): (string | number)[] {
  const said = { ...item.metadata, ...item.localMetadata }
  const { vote_average: vote } = said
  switch (field) {
    case 'title':
      return [item.name]
    case 'year':
      return item.year === null ? [] : [item.year]
    case 'addedAt':
      return [item.addedAt.getTime() / 1000]
    case 'criticScore':
      return typeof vote === 'number' && vote >= 0 && vote <= 10 ? [vote] : []
    case 'genre':
      return namesOf(said['genres'])
    case 'rating':
      return namesOf(said['rating'])
    case 'director':
      return namesOf(said['director'])
    case 'studio':
      return [...namesOf(said['production_companies']), ...namesOf(said['studio'])]
    case 'actor':
      return namesOf('actors' in said ? said['actors'] : said['cast'])
  }
}

/** A text, or a list of texts and of objects with a name. Surrounding spaces are removed; blank texts and texts with U+0001 are dropped. */
function namesOf(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
  return entries.flatMap((entry) => {
    const name = isObject(entry) ? entry['name'] : entry
    const text = typeof name === 'string' ? name.replaceAll(/^ +| +$/g, '') : ''
    return text === '' || text.includes('\u0001') ? [] : [text]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
