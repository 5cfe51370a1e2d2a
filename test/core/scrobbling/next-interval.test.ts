import t from 'tap'
import { nextIntervalSeconds, scrobblingErrors } from '../../../src/core/scrobbling/index.ts'

void t.test('who is told to slow down waits five seconds longer from then on', async (t) => {
  const waiting = (slow_down?: boolean) =>
    scrobblingErrors.scrobbler_not_approved(slow_down === undefined ? {} : { details: { slow_down } })
  t.equal(nextIntervalSeconds(5, waiting()), 5)
  t.equal(nextIntervalSeconds(5, waiting(false)), 5)
  t.equal(nextIntervalSeconds(nextIntervalSeconds(5, waiting(true)), waiting(true)), 15)
})
