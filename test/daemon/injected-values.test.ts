import t from 'tap'
import { seededRandom } from '../support/seeded-random.ts'
import { injectEverywhere } from './injected-values.ts'

void t.test('no value of any part of a request is answered with 500, on any route (IN-01, IN-05)', (t) =>
  injectEverywhere(t, { random: seededRandom(1), valuesPerKey: 2 }),
)
