import t from 'tap'
import { seededRandom } from '../support/seeded-random.ts'
import { runMixedLoad } from './mixed-load.ts'

void t.test('a daemon whose ffmpegs are killed under load holds no more than before (F-42)', (t) =>
  runMixedLoad(t, { random: seededRandom(42), films: ['film-tiny-mp4'], rounds: 3, kills: 3 }),
)
