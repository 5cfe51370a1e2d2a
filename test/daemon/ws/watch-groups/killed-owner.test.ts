import t from 'tap'
import { seededRandom } from '../../../support/seeded-random.ts'
import { killOwners } from './killed-owner.ts'

void t.test('a group whose process is killed has one other process, and keeps its seats and its order', (t) =>
  killOwners(t, { random: seededRandom(4711), kills: 1, daemons: 2 }),
)
