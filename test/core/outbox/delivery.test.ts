import t from 'tap'
import {
  retryDelayMilliseconds,
  targetBackoffMilliseconds,
  type AttemptResult,
} from '../../../src/core/outbox/delivery.ts'

const failed = (retryAfterSeconds?: number): AttemptResult => ({
  isDelivered: false,
  statusCode: 500,
  responseBody: null,
  error: 'no',
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})

void t.test('attempts are 1 s, 2 s, 4 s … 32 s apart, with up to 25 % jitter', (t) => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 40, 1e9].map((attempts) => retryDelayMilliseconds(attempts, failed(), 0))
  t.strictSame(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000, 32_000])
  t.equal(retryDelayMilliseconds(1, failed(), 1), 1250)
  t.equal(retryDelayMilliseconds(0, failed(), 0), 1000)
  t.end()
})

void t.test('a longer delay requested by a target applies, up to an hour', (t) => {
  t.equal(retryDelayMilliseconds(1, failed(7.5), 0), 7500)
  t.equal(retryDelayMilliseconds(6, failed(7.5), 0), 32_000, 'not a shorter one')
  t.equal(retryDelayMilliseconds(1, failed(1e12), 0), 3_600_000)
  t.equal(retryDelayMilliseconds(1, failed(-5), 0), 1000)
  t.end()
})

void t.test('a target is paused from the third consecutive failure on, 1 s to 32 s, longer if it requests it', (t) => {
  t.strictSame(
    [0, 1, 2, 3, 4, 5, 8, 9, 1e9].map((failures) => targetBackoffMilliseconds(failures, failed(), 0)),
    [0, 0, 0, 1000, 2000, 4000, 32_000, 32_000, 32_000],
  )
  t.equal(targetBackoffMilliseconds(3, failed(60), 0), 60_000)
  t.end()
})
