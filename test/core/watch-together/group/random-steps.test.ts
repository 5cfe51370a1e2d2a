import t from 'tap'
import { seededRandom } from '../../../support/seeded-random.ts'
import { keepsInvariants } from './random-steps.ts'

const SEED = 4711
const SEQUENCES = 10_000

void t.test(`${SEQUENCES} random sequences keep the invariants and end without a timer (seed ${SEED})`, (t) => {
  keepsInvariants(t, { random: seededRandom(SEED), sequences: SEQUENCES })
  t.end()
})
