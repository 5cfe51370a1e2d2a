import t from 'tap'
import { streamDamagedFiles } from './damaged-streams.ts'

/** `npm run soak -- damaged-streams` plays hundreds, with other seeds in each round. */
void t.test('damaged films are played, or refused with a documented code (FZ-02, F-21)', (t) =>
  streamDamagedFiles(t, { firstSeed: 0, files: 10 }),
)
