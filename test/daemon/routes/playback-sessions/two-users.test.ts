import t from 'tap'
import { spendEvenings } from './two-evenings.ts'

/** `npm run soak -- two-evenings` writes more. */
void t.test('mixed writes of two users at the same time never cross (AZ-10)', (t) =>
  spendEvenings(t, { seed: 1, writes: 80 }),
)
