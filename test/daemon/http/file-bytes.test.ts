import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync, writeFileSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createChunkBuffers } from '../../../src/daemon/http/chunk-buffers.ts'
import { FileBytes } from '../../../src/daemon/http/file-bytes.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { noiseOf } from '../../support/byte-sources.ts'

const SIZE_BYTES = 3_000_001

/** A server that sends the byte range of `path` that the URL contains. */
async function serve(t: Test, path: string): Promise<(start: number, end: number) => Promise<IncomingMessage>> {
  const buffers = createChunkBuffers()
  const server = createServer((request, response) => {
    const [, start = 0, end = 0] = (request.url ?? '').split('/').map(Number)
    void open(path).then((handle) => {
      response.writeHead(200, { 'content-length': end - start + 1 })
      const bytes = new FileBytes(handle, { start, end }, buffers)
      bytes.on('error', () => response.destroy())
      response.on('close', () => bytes.destroy())
      return bytes.pipe(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (start, end) => {
    const [reply] = (await once(
      get({ port, host: '127.0.0.1', path: `/${start}/${end}`, agent: false }),
      'response',
    )) as [IncomingMessage]
    return reply
  }
}

const openCount = (path: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false
    }
  }).length

async function untilClosed(t: Test, path: string): Promise<void> {
  await waitUntil('the file is closed', () => openCount(path) === 0)
  t.equal(openCount(path), 0, 'the file is closed')
}

void t.test('many readers at once, fast and slow, each get exactly their bytes', async (t) => {
  const path = join(t.testdir(), 'film')
  const content = Buffer.from(noiseOf(1, SIZE_BYTES))
  writeFileSync(path, content)
  const ask = await serve(t, path)
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  const read = async (index: number): Promise<void> => {
    const start = index === 0 ? 0 : (index * 7919 * 31) % SIZE_BYTES
    const end = index % 3 === 0 ? SIZE_BYTES - 1 : Math.min(SIZE_BYTES - 1, start + index * 40_009)
    const reply = await ask(start, end)
    const got = createHash('sha256')
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      if (index % 4 === 0) await pause(1)
      got.update(chunk)
    }
    t.equal(got.digest('hex'), hash(content.subarray(start, end + 1)), `${start} to ${end}`)
  }
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 40 }, (_, index) => read(index)))
  await untilClosed(t, path)
})

void t.test(
  'a client that disconnects in the middle leaves nothing open, and does not affect other responses',
  async (t) => {
    const path = join(t.testdir(), 'film')
    const content = Buffer.from(noiseOf(1, SIZE_BYTES * 4))
    writeFileSync(path, content)
    const ask = await serve(t, path)
    const leave = async (): Promise<void> => {
      const reply = await ask(0, content.length - 1)
      await once(reply, 'readable')
      reply.destroy()
    }
    const stay = async (): Promise<void> => {
      const parts: Buffer[] = []
      for await (const part of (await ask(0, content.length - 1)) as AsyncIterable<Buffer>) parts.push(part)
      t.ok(Buffer.concat(parts).equals(content))
    }
    await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? stay() : leave())))
    await untilClosed(t, path)
  },
)

void t.test('a file that became shorter aborts the connection', async (t) => {
  const path = join(t.testdir(), 'film')
  writeFileSync(path, noiseOf(1, SIZE_BYTES))
  const ask = await serve(t, path)
  truncateSync(path, 1_000_000)
  const reply = await ask(0, SIZE_BYTES - 1)
  let length = 0
  const failure = async (): Promise<void> => {
    for await (const chunk of reply as AsyncIterable<Buffer>) length += chunk.length
  }
  await t.rejects(failure(), { code: 'ECONNRESET' })
  t.ok(length <= 1_000_000)
  await untilClosed(t, path)
})
