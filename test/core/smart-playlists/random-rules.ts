import { RULE_FIELDS, type RuleField } from '../../../src/core/smart-playlists/rule-tree.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

/** Words that are nearly equal, and words that are special in LIKE, in patterns or in SQL. */
export const WORDS = [
  'Drama',
  'drama',
  'DRAMA',
  'Dram',
  'Dráma',
  'Dra\u0301ma',
  'Sci-Fi',
  'PG-13',
  'pg-13',
  'R',
  'r',
  '300',
  '1917',

  '100%',
  '100',
  '％',
  'a_b',
  'aXb',
  'a\\b',
  'a\\\\b',
  '.*',
  '[a-z]+',
  '$1',
  "O'Neil",
  '"quoted"',
  '{a,b}',
  'NULL',
  'null',

  '😀',
  'x😀y',
  '𝒳',
  'ß',
  'ss',
  'İ',
  'ﬁ',
  'fi',
  '\u00a0',
  'a b',
  'a  b',
  ' led',
  'trailing ',
  'tab\t',
  'line\nbreak',
  '\u0001',
  'Dra\u0001ma',
  '\u0001Drama\u0001',

  'x'.repeat(250),
  `${'x'.repeat(249)}y`,
  'x'.repeat(200),
]
const SCORES = [0, 10, 7.3, 7.300000190734863, 5, 5.5, -0.1, 10.1, 1e300, 1e-30]
export const YEARS = [1, 1917, 1999, 2000, 2001, 9999]
export const TIMES = [
  '2026-01-01',
  '2026-01-01T00:00:00.001Z',
  '2026-01-02T03:04:05Z',
  '2026-01-02T04:04:05+01:00',
  '1970-01-01',
]

export function randomMetadata(random: SeededRandom): Record<string, unknown> {
  const { below, pick } = random
  const word = () => pick(WORDS)
  const words = () => Array.from({ length: below(4) }, word)
  const named = () =>
    Array.from({ length: below(3) }, () => pick<unknown>([{ name: word(), role: 'x' }, word(), { name: 5 }, null]))
  const odd = () => pick<unknown>([null, 5, true, '', {}, [], [[word()]], word(), [word(), null, 7]])
  const entries: [string, () => unknown][] = [
    ['genres', words],
    ['actors', words],
    ['cast', named],
    ['studio', word],
    ['production_companies', named],
    ['director', word],
    ['rating', word],
    ['vote_average', () => pick(SCORES)],
  ]
  return Object.fromEntries(
    entries.flatMap(([key, make]) => {
      const kind = below(10)
      return kind < 4 ? [] : [[key, kind === 9 ? odd() : make()]]
    }),
  )
}

function randomLeaf(random: SeededRandom): object {
  const { below, pick } = random
  const field = pick(Object.keys(RULE_FIELDS) as RuleField[])
  if (RULE_FIELDS[field] === 'texts') {
    const op = pick(['equals', 'notEquals', 'contains', 'notContains', 'in', 'notIn', 'startsWith', 'endsWith'])
    const whole = pick(WORDS)
    const [from, letters] = [below(Array.from(whole).length), 1 + below(3)]
    const part =
      below(20) === 0
        ? ''
        : Array.from(whole)
            .slice(from, from + letters)
            .join('')
    // Long lists use another method, and take longer.
    const length = below(20) === 0 ? below(130) : below(12)
    if (op === 'in' || op === 'notIn') return { field, op, value: Array.from({ length }, () => pick(WORDS)) }
    return { field, op, value: below(3) === 0 ? whole : part }
  }
  const op = pick(['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'notIn'])
  const number = (): string | number => {
    if (field === 'year') return pick([...YEARS, 1999.5, -1])
    if (field === 'criticScore') return pick([...SCORES, 5e-324])
    return below(2) === 0 ? pick(TIMES) : pick(TIMES.map((time) => Date.parse(time) / 1000 + below(2) / 1000))
  }
  const secondsOf = (value: string | number) => (typeof value === 'string' ? Date.parse(value) / 1000 : value)
  if (op === 'between')
    return { field, op, value: [number(), number()].toSorted((a, b) => secondsOf(a) - secondsOf(b)) }
  if (op === 'in' || op === 'notIn') return { field, op, value: Array.from({ length: below(4) }, number) }
  return { field, op, value: number() }
}

export function randomTree(random: SeededRandom, levels: number): object {
  const { below, pick } = random
  if (levels === 0 || below(3) === 0) return randomLeaf(random)
  const logic = pick(['and', 'or', 'not'])
  const length = logic === 'not' ? 1 : below(4)
  return { logic, rules: Array.from({ length }, () => randomTree(random, levels - 1)) }
}
