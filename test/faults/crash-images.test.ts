import t from 'tap'
import { seededRandom } from '../support/seeded-random.ts'
import { startCrashImages } from './crash-images.ts'

void t.test(
  'a copy of the files of a running database starts, and has every row that was committed before it (F-43)',
  (t) => startCrashImages(t, { random: seededRandom(43), images: 2 }),
)
