import t from 'tap'
import { writeAtTheSameTime } from './two-writers.ts'

/** `npm run soak -- two-writers` writes more. */
void t.test('two people who write at the same time each find their own state, and only that (AZ-10)', (t) =>
  writeAtTheSameTime(t, { seed: 1, writes: 100 }),
)
