import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { CommandFailure } from '../../scripts/quickstart/phlix.ts'
import { waitUntilReady, type Wait } from '../../scripts/quickstart/readiness.ts'

/** A server that is not ready for this number of requests, and a function that waits for it. */
async function slowServer(t: Test, notReadyTimes: number): Promise<{ wait: Wait; asked: () => number }> {
  let asked = 0
  const server = createServer((_, reply) => {
    asked += 1
    reply.statusCode = asked > notReadyTimes ? 200 : 503
    reply.end(JSON.stringify({ missing: ['free disk space is below the configured minimum'] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { promise: ended } = Promise.withResolvers<void>()
  const wait = { address, say: () => undefined, onNotReady: () => undefined, isRunning: () => true, ended }
  return { wait, asked: () => asked }
}

void t.test('a server that becomes ready is waited for', async (t) => {
  const { wait, asked } = await slowServer(t, 2)
  t.equal(await waitUntilReady(wait), true)
  t.equal(asked(), 3)
})

void t.test('an error that waiting cannot change ends the wait with the first response', async (t) => {
  const { wait, asked } = await slowServer(t, Number.POSITIVE_INFINITY)
  const full = new CommandFailure({ code: 'disk_full', message: 'full', exit: 74 })
  const onNotReady = (): never => {
    throw full
  }
  await t.rejects(waitUntilReady({ ...wait, onNotReady }), full)
  t.equal(asked(), 1)
})

void t.test('the wait has a limit, and its error names the missing condition', async (t) => {
  const { wait } = await slowServer(t, Number.POSITIVE_INFINITY)
  await t.rejects(waitUntilReady({ ...wait, limitSeconds: 0 }), {
    exit: 69,
    message: 'The server is not ready after 0 s: free disk space is below the configured minimum.',
  })
})

void t.test('a server that has ended is not waited for', async (t) => {
  const { wait } = await slowServer(t, Number.POSITIVE_INFINITY)
  t.equal(await waitUntilReady({ ...wait, isRunning: () => false }), false)
})
