import t from 'tap'
import { checkExpressions } from './support/check-expressions.ts'
import { literalExpressions } from './support/regular-expressions.ts'

/** `npm run soak -- regular-expressions` judges all of them, and longer. */
const JUDGED = 50
const LIMIT_MILLISECONDS = 100

const repetitions = ({ source }: { source: string }): number => source.match(/[*+]|\{\d+,/g)?.length ?? 0

void t.test('no text holds up one of the regular expressions with the most repetitions for long (IN-12)', (t) => {
  const worst = literalExpressions().toSorted((a, b) => repetitions(b) - repetitions(a))
  t.ok(worst.length > JUDGED)
  const { vulnerable, counts } = checkExpressions(worst.slice(0, JUDGED), { limitMilliseconds: LIMIT_MILLISECONDS })
  t.strictSame(vulnerable, [])
  t.comment(JSON.stringify(counts))
  t.end()
})

void t.test('an expression whose time doubles with each character is found, a harmless one is not (IN-12)', (t) => {
  const expressions = ['^(a+)+$', '^a+$'].map((source) => ({ file: 'a file', source, flags: '' }))
  const { vulnerable } = checkExpressions(expressions, { limitMilliseconds: 10_000 })
  t.strictSame(vulnerable, ['a file: /^(a+)+$/ is exponential'])
  t.end()
})
