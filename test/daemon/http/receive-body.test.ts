import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { fastify } from 'fastify'
import { receiveBody, type AcceptChunk } from '../../../src/daemon/http/receive-body.ts'
import { AppError } from '../../../src/core/platform/errors/index.ts'

const LIMIT_BYTES = 1000

/** A server that receives bodies of at most 1,000 bytes; `outcomes` has what became of each, `ended` is settled after the first. */
async function start(t: Test, accept: AcceptChunk) {
  const outcomes: (number | string)[] = []
  const end = Promise.withResolvers<void>()
  const app = fastify({ bodyLimit: LIMIT_BYTES })
  app.addContentTypeParser('x/y', async (request: Parameters<typeof receiveBody>[0], payload: IncomingMessage) => {
    const bytes = await receiveBody(request, payload, accept).catch((error: unknown) =>
      error instanceof AppError ? error.code : 'unexpected',
    )
    outcomes.push(typeof bytes === 'string' ? bytes : (bytes?.length ?? 'refused'))
    end.resolve()
    return {}
  })
  app.post('/', async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as net.AddressInfo
  const connect = (head: string): net.Socket => {
    const socket = net.connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\n${head}\r\n\r\n`)
    return socket
  }
  return { outcomes, connect, ended: end.promise }
}

/** One chunk of a body with `Transfer-Encoding: chunked`. */
const chunk = (length: number): string => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`

void t.test('a body is its pieces in order', async (t) => {
  const { outcomes, connect } = await start(t, () => true)
  const socket = connect('Transfer-Encoding: chunked')
  socket.write(`${chunk(300)}${chunk(700)}0\r\n\r\n`)
  await once(socket, 'data')
  t.same(outcomes, [1000], 'exactly the limit')
})

void t.test('the rest of a refused body is received and discarded', async (t) => {
  let calls = 0
  const { outcomes, connect } = await start(t, () => ((calls += 1), false))
  const socket = connect('Transfer-Encoding: chunked')
  socket.write(`${chunk(10)}${chunk(20)}${chunk(30)}0\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  t.match(String(answer), /^HTTP\/1.1 200 /)
  t.same(outcomes, ['refused'])
  t.equal(calls, 1)
})

void t.test(
  'a body above the limit ends at once, whether its length was announced or not, refused or not',
  async (t) => {
    for (const isAccepted of [true, false]) {
      const { outcomes, connect } = await start(t, () => isAccepted)
      await once(connect('Content-Length: 1001'), 'data')
      const socket = connect('Transfer-Encoding: chunked')
      socket.write(`${chunk(500)}${chunk(501)}`)
      await once(socket, 'data')
      t.same(outcomes, ['body_too_large', 'body_too_large'])
    }
  },
)

void t.test('a client that leaves ends the wait', async (t) => {
  const received = Promise.withResolvers<void>()
  const { outcomes, connect, ended } = await start(t, () => (received.resolve(), true))
  const socket = connect('Content-Length: 500')
  socket.write('x')
  await received.promise
  socket.destroy()
  await ended
  t.same(outcomes, ['bad_request'])
})
