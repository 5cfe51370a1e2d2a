import t from 'tap'
import { reconnectDelay } from '../../../src/core/relay-protocol/reconnect-delay.ts'

void t.test('RE-11: the limit of the wait doubles from 1 s to 60 s, and the wait is a random part of it', (t) => {
  const limits = [0, 1, 2, 3, 4, 5, 6, 7, 100, 10_000].map((failures) => reconnectDelay({ failures, fraction: 1 }))
  t.strictSame(limits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000])
  t.equal(reconnectDelay({ failures: 3, fraction: 0 }), 0)
  t.equal(reconnectDelay({ failures: 3, fraction: 0.5 }), 4000)
  t.end()
})
