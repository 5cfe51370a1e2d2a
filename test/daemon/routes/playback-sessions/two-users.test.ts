import t from 'tap'
import { playConcurrently } from './concurrent-playback.ts'

/** `npm run soak -- two-evenings` writes more. */
void t.test('mixed writes of two users at the same time never cross (AZ-10)', (t) =>
  playConcurrently(t, { seed: 1, writes: 80 }),
)
