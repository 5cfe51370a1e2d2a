import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { fastify } from 'fastify'
import type { LargeBodyPace } from '../../../src/daemon/http/large-body-pace.ts'
import { receiveUpload } from '../../../src/daemon/http/receive-upload.ts'
import { AppError } from '../../../src/core/platform/errors/index.ts'
import { noiseOf } from '../../support/byte-sources.ts'
import { waitUntil } from '../../support/wait-until.ts'

const LIMIT_BYTES = 1_000_000

const NO_WAIT: LargeBodyPace = { waitFor: () => Promise.resolve() }

/** A server that receives uploads; `outcomes` has the bytes or the error code of each. */
async function start(t: Test, pace: LargeBodyPace = NO_WAIT) {
  const outcomes: (Buffer | string)[] = []
  const app = fastify({ bodyLimit: LIMIT_BYTES })
  app.addContentTypeParser('x/y', async (request: Parameters<typeof receiveUpload>[0], payload: IncomingMessage) => {
    const bytes = await receiveUpload(request, payload, { limitBytes: LIMIT_BYTES, pace }).catch((error: unknown) => {
      payload.resume()
      return error instanceof AppError ? error.code : 'unexpected'
    })
    outcomes.push(bytes)
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
  return { outcomes, connect }
}

/** One chunk of a body with `Transfer-Encoding: chunked`. */
const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const END = '0\r\n\r\n'

void t.test('an upload is its bytes in order, whether its length was announced or not', async (t) => {
  const { outcomes, connect } = await start(t)
  const bytes = Buffer.from(noiseOf(1, LIMIT_BYTES))
  const announced = connect(`Content-Length: ${LIMIT_BYTES}`)
  announced.write(bytes)
  await once(announced, 'data')
  const chunked = connect('Transfer-Encoding: chunked')
  for (let at = 0; at < LIMIT_BYTES; at += 170_000) chunked.write(chunk(bytes.subarray(at, at + 170_000)))
  chunked.write(END)
  await once(chunked, 'data')
  const empty = connect('Content-Length: 0')
  await once(empty, 'data')
  for (const outcome of outcomes.slice(0, 2)) t.ok(bytes.equals(outcome as Buffer))
  t.equal(outcomes.length, 3)
  t.notOk(Buffer.isBuffer(outcomes[2]) && outcomes[2].length > 0)
})

void t.test('an upload above the limit is answered before its end, and its connection lives', async (t) => {
  const { outcomes, connect } = await start(t)
  await once(connect(`Content-Length: ${LIMIT_BYTES + 1}`), 'data')
  const socket = connect('Transfer-Encoding: chunked')
  for (let count = 0; count < 11; count += 1) socket.write(chunk(Buffer.alloc(LIMIT_BYTES / 10)))
  const [reply] = (await once(socket, 'data')) as [Buffer]
  t.match(String(reply), /^HTTP\/1.1 200 /)
  t.strictSame(outcomes, ['body_too_large', 'body_too_large'])
})

void t.test('an upload is received only as fast as its pace allows (RL-10)', async (t) => {
  const waits: number[] = []
  let go = (): void => undefined
  const { outcomes, connect } = await start(t, {
    waitFor: (_key, bytes) => {
      waits.push(bytes)
      return new Promise((resolve) => (go = resolve))
    },
  })
  const socket = connect(`Content-Length: ${LIMIT_BYTES}`)
  socket.write(Buffer.alloc(LIMIT_BYTES))
  let ended = 0
  await waitUntil('it has ended', async () => {
    if (waits.length > ended) {
      ended += 1
      t.strictSame(outcomes, [], 'a wait is not over')
      go()
    }
    return outcomes.length === 1
  })
  t.ok(ended >= 3, `${ended} waits`)
  t.ok(Math.max(...waits) < 256 * 1024)
  t.equal((outcomes[0] as Buffer).length, LIMIT_BYTES)
})

void t.test('a client that leaves ends the wait', async (t) => {
  const { outcomes, connect } = await start(t)
  const socket = connect('Content-Length: 500')
  socket.write('x')
  await once(socket, 'connect')
  socket.destroy()
  await waitUntil('it has ended', async () => outcomes.length === 1)
  t.strictSame(outcomes, ['bad_request'])
})
