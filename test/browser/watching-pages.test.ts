import t from 'tap'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'
import { watchOnPages } from './watching-pages.ts'

/** More is noticed by people in one room. */
const MAX_SPREAD_MILLISECONDS = 80

/** Pages that pass each other for a moment are not together. */
const SAMPLES = 8
const SAMPLE_MILLISECONDS = 150

/** Waits until all of several readings in a row are within the limit. */
async function stayTogether(claim: string, spread: () => Promise<number>): Promise<void> {
  await waitUntil(`together ${claim}`, async () => {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      if (!((await spread()) <= MAX_SPREAD_MILLISECONDS)) return false
      await pause(SAMPLE_MILLISECONDS)
    }
    return true
  })
}

const claim = 'pages play one film together after seeks, a reload and a kill of the server, whatever their clocks say'

void t.test(`four ${claim}: one has a wrong clock, and one a slow network and processor`, (t) =>
  watchOnPages(t, { random: seededRandom(4711), kind: 'direct', pages: 4, check: stayTogether }),
)

void t.test(`two ${claim}, by HLS`, (t) =>
  watchOnPages(t, { random: seededRandom(4711), kind: 'hls', pages: 2, check: stayTogether }),
)
