import t from 'tap'
import { seededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchOnPages } from './watching-pages.ts'

/** More is noticed by people in one room. */
const MAX_SPREAD_MILLISECONDS = 80

void t.test(
  'pages play one film together after seeks, a reload and a kill of the server, whatever their clocks say',
  (t) =>
    watchOnPages(t, {
      random: seededRandom(4711),
      kind: 'direct',
      pages: 2,
      check: (claim, spread) => waitUntil(`together ${claim}`, async () => (await spread()) <= MAX_SPREAD_MILLISECONDS),
    }),
)
