import { once } from 'node:events'
import {
  appendFile,
  copyFile,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  utimes,
} from 'node:fs/promises'
import http from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pick, scanFilms, startApp } from '../../../support/app.ts'
import { sampleMedia } from '../../../support/media.ts'
import { waitUntil } from '../../../support/wait-until.ts'

async function setUp(t: Test) {
  const server = await startApp(t)
  const { folder, items } = await scanFilms(t, server.services, { 'A film (1999).mp4': 'film-mp4' })
  const [id, path] = [items[0]?.id ?? '', items[0]?.path ?? '']
  const address = server.services.signer.signUrl(`/media/${id}/stream`)
  return { ...server, folder, id, path, address, bytes: await readFile(path) }
}

type Sent = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

/** A request whose body is returned as bytes. */
function fetchBytes(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { headers, method, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }),
      )
      reply.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}

void t.test('a signed address gives the whole file', async (t) => {
  const { baseUrl, address, bytes } = await setUp(t)
  const { status, headers, body } = await fetchBytes(baseUrl + address)
  t.equal(status, 200)
  t.match(headers, {
    'content-type': 'video/mp4',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': /^private/,
    etag: /^"[^"]+"$/,
    'last-modified': /GMT$/,
  })
  t.ok(body.equals(bytes))
})

void t.test('one range is sent as asked, anything else as the whole file (RG-01, RG-02, RG-03)', async (t) => {
  const { baseUrl, address, bytes } = await setUp(t)
  const size = bytes.length
  const parts: [range: string, start: number, end: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, size - 1],
    ['bytes=-1', size - 1, size - 1],
    [`bytes=-${size + 999}`, 0, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=5-99999999999999999999', 5, size - 1],
    ['bytes=100-300000', 100, 300_000],
  ]
  for (const [range, start, end] of parts) {
    const { status, headers, body } = await fetchBytes(baseUrl + address, { range })
    t.equal(status, 206, range)
    t.equal(headers['content-range'], `bytes ${start}-${end}/${size}`)
    t.equal(headers['content-length'], String(end - start + 1))
    t.ok(body.equals(bytes.subarray(start, end + 1)))
  }
  for (const range of ['bytes=0-1,5-6', 'bytes=abc', 'items=0-1', 'bytes=-', 'bytes=1e3-', 'bytes=0x0-1', '']) {
    const { status, body } = await fetchBytes(baseUrl + address, { range })
    t.equal(status, 200, range)
    t.equal(body.length, size)
  }
  for (const range of [`bytes=${size}-`, 'bytes=5-4', 'bytes=99999999999999999999-', 'bytes=-0']) {
    const { status, headers, body } = await fetchBytes(baseUrl + address, { range })
    t.equal(status, 416, range)
    t.equal(headers['content-range'], `bytes */${size}`)
    t.same(JSON.parse(body.toString()), { error: 'Range not satisfiable', code: 'range_not_satisfiable' })
    t.equal(headers['cache-control'], 'no-store')
  }
})

void t.test('a file without bytes is sent as such (RG-04)', async (t) => {
  const { baseUrl, address, path } = await setUp(t)
  await truncate(path, 0)
  const whole = await fetchBytes(baseUrl + address)
  t.equal(whole.status, 200)
  t.equal(whole.headers['content-length'], '0')
  const part = await fetchBytes(baseUrl + address, { range: 'bytes=0-' })
  t.equal(part.status, 416)
  t.equal(part.headers['content-range'], 'bytes */0')
})

void t.test(
  'a client with current bytes gets none; a range of outdated bytes gets the whole file (RG-05)',
  async (t) => {
    const { baseUrl, address, bytes, path } = await setUp(t)
    const { headers } = await fetchBytes(baseUrl + address, {}, 'HEAD')
    const [etag = '', modified = ''] = [headers.etag, headers['last-modified']]
    for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': modified }]) {
      const { status, body, headers } = await fetchBytes(baseUrl + address, known)
      t.equal(status, 304)
      t.equal(body.length, 0)
      t.equal(headers.etag, etag)
    }
    for (const headers of [{ 'if-match': '"other"' }, { 'if-unmodified-since': 'Tue, 14 Nov 1995 22:13:19 GMT' }]) {
      for (const method of ['GET', 'HEAD']) {
        const { status } = await fetch(baseUrl + address, { method, headers: { ...headers, range: 'bytes=0-9' } })
        t.equal(status, 412, `${method} ${JSON.stringify(headers)}`)
      }
    }
    t.equal((await fetchBytes(baseUrl + address, { 'if-match': etag, range: 'bytes=0-9' })).status, 206)
    const range = 'bytes=0-9'
    for (const same of [etag, modified]) {
      t.equal((await fetchBytes(baseUrl + address, { range, 'if-range': same })).status, 206)
    }
    await utimes(path, 1, 1)
    for (const old of [etag, modified]) {
      const { status, body } = await fetchBytes(baseUrl + address, { range, 'if-range': old })
      t.equal(status, 200)
      t.equal(body.length, bytes.length)
    }
  },
)

const openFiles = async (path: string): Promise<number> => {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((link) => link === path).length
}

async function untilClosed(t: Test, path: string): Promise<void> {
  await waitUntil('the server has closed the file', async () => (await openFiles(path)) === 0)
  t.pass('the server has closed the file')
}

void t.test('HEAD describes the whole file, sends none of it and keeps nothing open (RG-07)', async (t) => {
  const { baseUrl, address, bytes, path } = await setUp(t)
  for (let round = 0; round < 200; round++) {
    const { status, headers, body } = await fetchBytes(baseUrl + address, { range: 'bytes=0-9' }, 'HEAD')
    if (status !== 200 || headers['content-length'] !== String(bytes.length) || body.length > 0)
      t.fail(`round ${round}`)
  }
  await untilClosed(t, path)
})

void t.test('a client that goes away in the middle leaves no open file behind (F-23)', async (t) => {
  const { baseUrl, address, path, bytes } = await setUp(t)
  // Larger than the socket buffers, so that the server is still sending.
  while ((await readFile(path)).length < 24 * 1024 * 1024) await appendFile(path, Buffer.concat(Array(8).fill(bytes)))
  const leave = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = http.get(baseUrl + address, { agent: false }, (reply) => {
        reply.once('data', () => {
          request.destroy()
          resolve()
        })
        reply.on('error', () => {})
      })
      request.on('error', reject)
    })
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, leave))
  await untilClosed(t, path)
})

void t.test(
  'a file that shrinks while it is sent ends the connection, one that grows ends where it was (RG-06)',
  async (t) => {
    const { baseUrl, address, path } = await setUp(t)
    const file = await open(path, 'r+')
    t.teardown(() => file.close())
    await file.truncate(64 * 1024 * 1024)
    const received = (change: () => Promise<void>): Promise<{ length: number; isWhole: boolean }> =>
      new Promise((resolve, reject) => {
        const request = http.get(baseUrl + address, { agent: false }, (reply) => {
          let length = 0
          reply.on('data', (chunk: Buffer) => (length += chunk.length))
          reply.once('data', () => {
            reply.pause()
            void change().then(() => reply.resume(), reject)
          })
          reply.on('error', () => {})
          reply.on('close', () => resolve({ length, isWhole: reply.complete }))
        })
        request.on('error', reject)
      })
    const shrunk = await received(() => file.truncate(1024))
    t.equal(shrunk.isWhole, false, 'the client sees that bytes are missing')
    await file.truncate(64 * 1024 * 1024)
    const grown = await received(() => file.truncate(65 * 1024 * 1024))
    t.strictSame(grown, { length: 64 * 1024 * 1024, isWhole: true })
  },
)

void t.test(
  'a paused player keeps its connection for an hour, an idle connection for two minutes (F-22)',
  async (t) => {
    const { app, baseUrl, address, path } = await setUp(t)
    await truncate(path, 64 * 1024 * 1024)
    const sockets: Socket[] = []
    app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    t.teardown(() => agent.destroy())
    const request = (target: string): Promise<http.IncomingMessage> =>
      new Promise((resolve, reject) => {
        http.get(baseUrl + target, { agent }, resolve).on('error', reject)
      })
    const film = await request(address)
    await once(film, 'readable')
    t.equal(sockets[0]?.timeout, 3_600_000, 'while the film is sent')
    film.resume()
    await once(film, 'end')
    const other = await request('/healthz')
    t.equal(sockets.length, 1, 'the connection is used again')
    await once(other.resume(), 'end')
    t.ok((sockets[0]?.timeout ?? Infinity) <= 120_000, 'after another request')
  },
)

void t.test('a token is taken instead of a signature, and a good signature beside a bad token', async (t) => {
  const { ask, registerUser, id, address } = await setUp(t)
  const { token } = await registerUser()
  t.equal((await ask('HEAD', `/media/${id}/stream`, { token })).status, 200)
  t.equal((await ask('HEAD', address, { token: 'a.b.c' })).status, 200)
  t.equal((await ask('HEAD', `/media/${id}/stream?exp=1&sig=x`, { token })).status, 200)
  t.match(await ask('GET', `/media/${id}/stream`), { status: 401, json: { code: 'auth.required' } })
  t.match(await ask('GET', `/media/${id}/stream`, { token: 'a.b.c' }), { status: 401, json: { code: 'auth.required' } })
})

void t.test('a signature is good for its address and its time only (SU-02, SU-03, SU-04)', async (t) => {
  const { ask, id, services } = await setUp(t)
  const path = `/media/${id}/stream`
  const { exp, sig } = services.signer.sign(path)
  const other = services.signer.sign('/media/0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11/stream')
  const folder = services.signer.sign(`/media/${id}/`)
  const past = services.signer.sign(path, -1)
  const invalid: string[] = [
    `exp=${exp}`,
    `sig=${sig}`,
    `exp=${exp}&sig=`,
    `exp=${exp + 1}&sig=${sig}`,
    `exp=9999999999999999&sig=${sig}`,
    `exp=1e10&sig=${sig}`,
    `exp=0x${exp.toString(16)}&sig=${sig}`,
    `exp=%20${exp}&sig=${sig}`,
    `exp=${exp}&exp=${exp}&sig=${sig}`,
    `exp=${exp}&sig=${sig}&sig=${sig}`,
    `exp=${exp}&sig=${sig.slice(1)}`,
    `exp=${exp}&sig=${sig}A`,
    `exp=${exp}&sig=${sig.toLowerCase()}`,
    `exp=${exp}&sig=${encodeURIComponent('ü'.repeat(43))}`,
    `exp=${other.exp}&sig=${other.sig}`,
    `exp=${folder.exp}&sig=${folder.sig}`,
  ]
  for (const query of invalid) {
    const answer = await ask('GET', `${path}?${query}`)
    t.match(answer, { status: 403, json: { error: 'Signature is not valid', code: 'signature.invalid' } }, query)
  }
  const late = await ask('GET', `${path}?exp=${past.exp}&sig=${past.sig}`)
  t.match(late, { status: 403, json: { error: 'Signature has expired', code: 'signature.expired' } })
  const upper = await ask('GET', `/media/${id.toUpperCase()}/stream?exp=${exp}&sig=${sig}`)
  t.equal(upper.status, id === id.toUpperCase() ? 200 : 403, 'another spelling of the address')
})

void t.test('a file that is gone is 404, one that leads out of its library 403, an unknown item 404', async (t) => {
  const { ask, registerUser, folder, id, path } = await setUp(t)
  const { token } = await registerUser()
  await rm(path)
  t.match(await ask('GET', `/media/${id}/stream`, { token }), { status: 404, json: { code: 'file_not_found' } })
  const outside = join(folder, '..', `outside-${id}.mp4`)
  await copyFile(await sampleMedia('film-tiny-mp4'), outside)
  t.teardown(() => rm(outside))
  await symlink(outside, path)
  t.match(await ask('GET', `/media/${id}/stream`, { token }), { status: 403, json: { code: 'path_outside_root' } })
  for (const unknown of ['0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', 'x', '..%2f..%2fetc%2fpasswd']) {
    const answer = await ask('GET', `/media/${unknown}/stream`, { token })
    t.match(answer, { status: 404, json: { code: 'media_item_not_found' } }, unknown)
  }
})

void t.test('the address in a detail plays', async (t) => {
  const { ask, registerUser, id, baseUrl, bytes } = await setUp(t)
  const { token } = await registerUser()
  const detail = await ask('GET', `/api/v1/media/${id}`, { token })
  const { status, body } = await fetchBytes(baseUrl + String(pick(detail.json, 'stream_url')))
  t.equal(status, 200)
  t.ok(body.equals(bytes))
})
