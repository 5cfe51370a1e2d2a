import t from 'tap'
import { writeConcurrently } from './concurrent-writers.ts'

/** `npm run soak -- two-writers` writes more. */
void t.test('two people who write at the same time each find their own state, and only that (AZ-10)', (t) =>
  writeConcurrently(t, { seed: 1, writes: 100 }),
)
