import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { getEnvironmentData } from 'node:worker_threads'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { createBackgroundThrottle } from '../../../src/core/platform/threads/index.ts'
import { installBackgroundThrottle } from '../../../src/daemon/hooks/background-throttle.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** The number of requests for which background threads wait. */
function underWay(): number {
  return Atomics.load(new Int32Array(getEnvironmentData('phlix.backgroundThrottle') as SharedArrayBuffer), 0)
}

async function untilUnderWay(count: number): Promise<void> {
  await waitUntil(`${count} running requests`, () => underWay() === count)
}

async function listening(t: Test) {
  const app = fastify()
  installBackgroundThrottle(app, { throttle: createBackgroundThrottle() })
  const { promise, resolve } = Promise.withResolvers<void>()
  app.get('/slow', async () => {
    await promise
    return { ok: true }
  })
  app.get('/status', { config: { isStatusPoll: true } }, async () => ({ underWay: underWay() }))
  app.get('/film', async (_request, reply) => reply.send(Readable.from(piecesFor(promise))))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => {
    resolve()
    return app.close()
  })
  return { address, answer: resolve }
}

async function* piecesFor(end: Promise<void>): AsyncGenerator<string> {
  yield 'a film'
  await end
}

void t.test('background work waits until a request is answered', async (t) => {
  const { address, answer } = await listening(t)
  const asked = [fetch(`${address}/slow`), fetch(`${address}/slow`)]
  await untilUnderWay(2)
  answer()
  await Promise.all(asked)
  await untilUnderWay(0)
  await fetch(`${address}/nothing`)
  await untilUnderWay(0)
})

void t.test('background work continues once a film starts to be sent', async (t) => {
  const { address } = await listening(t)
  const reply = await fetch(`${address}/film`)
  t.equal(reply.status, 200)
  await untilUnderWay(0)
  await reply.body?.cancel()
})

void t.test('background work continues when a client disconnects', async (t) => {
  const { address } = await listening(t)
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /slow HTTP/1.1\r\nhost: phlix\r\n\r\n')
  await untilUnderWay(1)
  socket.destroy()
  await untilUnderWay(0)
})

void t.test('a status request does not pause the background work', async (t) => {
  const { address, answer } = await listening(t)
  t.strictSame(await (await fetch(`${address}/status`)).json(), { underWay: 0 })
  const slow = fetch(`${address}/slow`)
  await untilUnderWay(1)
  t.strictSame(
    await (await fetch(`${address}/status`)).json(),
    { underWay: 1 },
    'nor does its end let others wait less',
  )
  await untilUnderWay(1)
  answer()
  await slow
  await untilUnderWay(0)
})
