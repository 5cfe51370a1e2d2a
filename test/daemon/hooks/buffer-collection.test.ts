import { once } from 'node:events'
import net from 'node:net'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { installBufferCollection } from '../../../src/daemon/hooks/buffer-collection.ts'
import { waitUntil } from '../../support/wait-until.ts'

const MEBIBYTE = 1024 * 1024
const BODY = Buffer.alloc(MEBIBYTE, ' ')

/** A server that counts its collections. */
async function start(t: Test) {
  const app = fastify()
  const counts = { collections: 0 }
  installBufferCollection(app, () => (counts.collections += 1))
  app.post('/', { bodyLimit: 2 * MEBIBYTE }, async () => ({}))
  t.teardown(() => app.close())
  return { baseUrl: await app.listen({ host: '127.0.0.1', port: 0 }), counts }
}

const post = async (url: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: BODY })
  await reply.arrayBuffer()
  return reply.status
}

void t.test('buffers are collected after each 8 MiB that clients have sent (RL-10)', async (t) => {
  const { baseUrl, counts } = await start(t)
  for (let n = 0; n < 20; n += 1) t.equal(await post(baseUrl), 400)
  await waitUntil('the second collection', () => counts.collections >= 2)
  t.equal(counts.collections, 2)
})

void t.test('bytes of a connection that is closed in the middle of a request are counted (RL-10)', async (t) => {
  const { baseUrl, counts } = await start(t)
  const port = Number(new URL(baseUrl).port)
  for (let n = 0; n < 9; n += 1) {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MEBIBYTE + 1}\r\n\r\n`,
    )
    socket.end(BODY)
    socket.resume()
    await once(socket, 'close')
  }
  await waitUntil('a collection', () => counts.collections === 1)
  t.equal(counts.collections, 1)
})

void t.test('requests without a body cause no collection', async (t) => {
  const { baseUrl, counts } = await start(t)
  for (let n = 0; n < 50; n += 1) await fetch(baseUrl).then((reply) => reply.arrayBuffer())
  t.equal(counts.collections, 0)
})
