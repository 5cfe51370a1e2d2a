import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { createRequestProvider } from '../../../src/core/metadata/provider-client/request-provider.ts'
import { createReplyCache, type ReplyCache } from '../../../src/core/metadata/provider-client/reply-cache.ts'
import { createRateLimiter } from '../../../src/core/metadata/provider-client/rate-limiter.ts'
import { metadataErrors } from '../../../src/core/metadata/errors.ts'
import { testServices } from '../../support/services.ts'

const QUESTION = { path: '/artist', schema: z.object({ count: z.number() }) }

/** Requests a server that counts; `change` may wrap the reply cache. */
async function setup(t: Test, change: (cache: ReplyCache) => ReplyCache = (cache) => cache) {
  let count = 0
  const server = createServer((_request, response) => response.end(JSON.stringify({ count: (count += 1) })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { db, clock, outbound } = await testServices(t)
  const services = {
    outbound,
    purpose: 'tmdb' as const,
    clock,
    cache: change(createReplyCache({ db, clock })),
    rateLimiter: createRateLimiter({ clock, perSecond: 1000 }),
    timeoutMilliseconds: 5000,
    stopping: new AbortController().signal,
  }
  const ask = createRequestProvider(services, {
    name: 'counter',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identify: async () => ({}),
    unreachable: metadataErrors.metadata_reply_invalid,
  })
  const askFor = (notBefore?: Date, signal = services.stopping) => ask(QUESTION, { signal, notBefore })
  return { askFor, clock, asked: () => count }
}

void t.test('concurrent identical requests are sent once, however long the cache lookup takes', async (t) => {
  const landed = Promise.withResolvers<void>()
  let looks = 0
  const { askFor, asked } = await setup(t, (cache) => ({
    ...cache,
    // All but the first lookup miss the cache, and wait until the reply is stored.
    async find(request, notBefore) {
      looks += 1
      const isFirst = looks === 1
      const found = await cache.find(request, notBefore)
      if (!isFirst) await landed.promise
      return found
    },
  }))
  const first = askFor()
  const others = [askFor(), askFor()]
  t.strictSame(await first, { count: 1 })
  landed.resolve()
  t.strictSame(await Promise.all(others), [{ count: 1 }, { count: 1 }])
  t.equal(asked(), 1)
})

void t.test('a cached reply is used unless a newer one is required', async (t) => {
  const { askFor, clock } = await setup(t)
  await askFor()
  t.strictSame(await askFor(), { count: 1 })
  const later = new Date(clock.now().getTime() + 1000)
  t.strictSame(await askFor(later), { count: 2 })
})

void t.test('the abort of one caller does not end the request of others', async (t) => {
  const { askFor } = await setup(t)
  const leaving = new AbortController()
  const [left, stayed] = [askFor(undefined, leaving.signal), askFor()]
  leaving.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  t.strictSame(await stayed, { count: 1 })
  await t.rejects(askFor(undefined, AbortSignal.abort(new Error('late'))), { message: 'late' })
})
