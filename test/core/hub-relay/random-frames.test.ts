import t from 'tap'
import { seededRandom } from '../../support/seeded-random.ts'
import { sendRandomFrames } from './random-frames.ts'

void t.test('RE-08: random frames end their own tunnel at most, on both ends', async (t) => {
  const seed = 20_801
  t.comment(`seed ${seed}`)
  await sendRandomFrames(t, { random: seededRandom(seed), frames: 5000 })
})
