import t from 'tap'
import { writeConcurrently } from './concurrent-writers.ts'

/** `npm run soak -- two-writers` writes more. */
void t.test('two concurrent users each find their own state only (AZ-10)', (t) =>
  writeConcurrently(t, { seed: 1, writes: 100 }),
)
