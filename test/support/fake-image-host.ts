import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { plain } from './generated-pictures.ts'

export type FakeImageHost = {
  origin: string
  /** Paths of every request, in order. */
  requests: string[]
}

/** Content length of the endless responses. */
const TEN_GIBIBYTES = 10 * 1024 ** 3

/**
 * A picture server of a provider, or of an attacker: `/red.jpg`, `/blue.png` … are pictures of 600x900, every other path triggers the
 * faulty behaviour of that name.
 */
export async function startFakeImageHost(t: Test): Promise<FakeImageHost> {
  const host: FakeImageHost = { origin: '', requests: [] }
  const server = createServer((request, response) => void answer(host, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return host
}

async function answer(host: FakeImageHost, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  host.requests.push(path)
  const [, color, type] = /^\/(red|green|blue|white)\.(jpg|png)/.exec(path) ?? []
  if (color !== undefined) {
    const picture = plain(600, 900, color)
    const bytes = await (type === 'png' ? picture.png() : picture.jpeg()).toBuffer()
    response.writeHead(200, { 'content-type': `image/${type === 'png' ? 'png' : 'jpeg'}` }).end(bytes)
    return
  }
  const respondWithFault = FAULTS[path]
  if (respondWithFault === undefined) response.writeHead(404).end('no such picture')
  else respondWithFault(response, host)
}

const FAULTS: Readonly<Record<string, (response: ServerResponse, host: FakeImageHost) => void>> = {
  '/redirect': (response, { origin }) => response.writeHead(302, { location: `${origin}/red.jpg` }).end(),
  '/redirect-home': (response) => response.writeHead(302, { location: 'http://localhost:9/red.jpg' }).end(),
  '/redirect-metadata': (response) => response.writeHead(307, { location: 'http://169.254.169.254/red.jpg' }).end(),
  '/redirect-forever': (response) => response.writeHead(301, { location: '/redirect-forever' }).end(),
  '/promises-10-gib': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': String(TEN_GIBIBYTES) })
    response.write(Buffer.from('ffd8ffe0', 'hex'))
  },
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    sendEndlessly(response)
  },
  '/gzip-bomb': (response) => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }).end(bomb)
  },
  '/html': (response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<!doctype html><script>alert(1)</script>'),
  '/svg': (response) =>
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/empty': (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(),
  '/half': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': '100000' })
    response.write(Buffer.from('ffd8ffe0', 'hex'), () => response.destroy())
  },
  '/damaged': (response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from('ffd8ffe00010', 'hex')),
  '/error': (response) => response.writeHead(500).end('broken'),
  '/never': () => {},
  '/drip': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': '1000' })
    const timer = setInterval(() => response.write('x'), 50)
    response.once('close', () => clearInterval(timer))
  },
}

/** Sends as fast as the client reads. */
function sendEndlessly(response: ServerResponse): void {
  const block = Buffer.alloc(256 * 1024, 1)
  const go = (): void => {
    while (!response.destroyed) {
      if (!response.write(block)) {
        response.once('drain', go)
        return
      }
    }
  }
  go()
}
