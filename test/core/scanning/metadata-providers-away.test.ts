import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMetadataProviders } from '../../../src/core/metadata/index.ts'
import { queueScan, runScanJob } from '../../../src/core/scanning/index.ts'
import type { SigningServices } from '../../../src/core/services.ts'
import { TMDB_KEY } from '../../support/fake-tmdb.ts'
import { countsOf, providerAndLibraries, sum } from '../../support/metadata-catalogue.ts'
import { runJob } from '../../support/metadata.ts'
import { waitUntil } from '../../support/wait-until.ts'

void t.test('providers that are slow, refuse or are away', async (t) => {
  const { fake, services, db, fill } = await providerAndLibraries(t)

  await t.test('a provider’s Retry-After is respected (429, 503)', async (t) => {
    const { library, stamped } = await fill()
    let refusals = 0
    fake.overrideResponse = ({ count }) => {
      if (count % 5 !== 0 || refusals >= 3) return undefined
      refusals += 1
      return { status: refusals === 2 ? 503 : 429, retryAfter: '1' }
    }
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(refusals, 3)
    t.equal(await stamped(), 12)
  })

  await t.test('a temporary error is retried', async (t) => {
    const { library, stamped } = await fill({ films: 2 })
    fake.overrideResponse = ({ count }) => (count === 1 ? 'drop' : count === 3 ? { status: 500 } : undefined)
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(await stamped(), 2)
  })

  await t.test(
    'a provider that becomes unavailable ends the job with a clear error; results so far are kept (F-41)',
    async (t) => {
      const { library, stamped } = await fill({ films: 20 })
      fake.overrideResponse = ({ count }) => (count > 25 ? { status: 500 } : undefined)
      const job = await runJob(services, library.id, 'metadata')
      t.match(job, { status: 'failed', error: /^TMDB answers with errors \(HTTP 500\)$/ })
      const done = await stamped()
      t.ok(done > 0 && done < 20)
      t.equal(job.itemsUpdated, done)
      t.ok(fake.requests.length <= 25 + 4 * 3, 'no storm of retries')
      fake.overrideResponse = undefined
      fake.requests.length = 0
      t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsUpdated: 20 })
      t.equal(await stamped(), 20)
      t.ok(sum(countsOf(fake.requests), /\/movie\/\d+$/) <= 20 - done, 'the next job continues with the rest')
    },
  )

  for (const [what, fault, error] of [
    ['a key that is refused', { status: 401 }, /^TMDB refuses the key \(HTTP 401\)$/],
    ['a connection that is cut', 'drop', /^TMDB cannot be reached: /],
    ['a provider that never answers', 'hang', /^TMDB cannot be reached: .* did not answer in time/],
    [
      'one that asks to wait for hours',
      { status: 503, retryAfter: '86400' },
      /^TMDB answers with errors \(HTTP 503\)$/,
    ],
  ] as const) {
    await t.test(`${what} ends the job with an error that says so`, async (t) => {
      const { library } = await fill({ films: 6 })
      fake.overrideResponse = () => fault
      const own = withOwnProviders(t, services, fault === 'hang' ? 1 : 300)
      t.match(await runJob(own, library.id, 'metadata'), { status: 'failed', error })
      t.ok(fake.requests.length <= 4 * 3)
      t.notOk(fake.requests.some((request) => request.includes(TMDB_KEY)))
    })
  }

  await t.test('a job that is cancelled while it waits for the provider ends', async (t) => {
    const { library } = await fill()
    fake.overrideResponse = () => 'hang'
    const { id } = await queueScan({ db, clock: services.clock }, { libraryId: library.id, type: 'metadata' })
    const stop = new AbortController()
    const own = withOwnProviders(t, services, 300)
    const running = runScanJob(own, { scanJobId: id, whenAborted: 'cancel' }, stop.signal)
    await waitUntil('the provider is asked', () => fake.requests.length > 0)
    stop.abort()
    t.match(await running, { status: 'cancelled' })
  })

  await t.test(
    'a library with an empty folder, like an unmounted one, ends with the guard’s error, without requests (F-12)',
    async (t) => {
      const { library } = await fill({ films: 2 })
      rmSync(join(library.folder, 'here'))
      for (const type of ['metadata', 'metadata_refresh'] as const) {
        const error = 'library root is not available: nothing was removed'
        t.match(await runJob(services, library.id, type), { status: 'failed', error, itemsRemoved: 0 })
      }
      t.strictSame(fake.requests, [])
    },
  )
})

/**
 * Separate providers for each test: pending requests of a failed job would otherwise answer the next one. The time limit of a second is
 * only for a provider that never answers, whatever the load.
 */
function withOwnProviders(t: Test, services: SigningServices, timeoutSeconds: number): SigningServices {
  const { config, db, clock, outbound } = services
  const options = { ...config.options, 'metadata.timeout_seconds': timeoutSeconds }
  const metadata = createMetadataProviders({ config: { ...config, options }, db, clock, outbound })
  t.teardown(() => metadata.close())
  return { ...services, metadata }
}
