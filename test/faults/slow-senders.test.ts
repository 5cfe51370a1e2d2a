import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import t from 'tap'
import { startApp } from '../support/app.ts'
import { waitUntil } from '../support/wait-until.ts'

const SENDERS = 1000
const ROUNDS = 5

/** What `slowhttptest` sends with -H, -B and -R before it continues byte by byte. */
const BEGINNINGS: readonly string[] = [
  'GET /api/v1/libraries HTTP/1.1\r\nhost: phlix\r\nx-slow: ',
  'POST /api/v1/auth/login HTTP/1.1\r\nhost: phlix\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n{',
  `GET / HTTP/1.1\r\nhost: phlix\r\nrange: bytes=0-${',5-0'.repeat(200)}\r\nx-slow: `,
]

async function slowSender(address: URL, beginning: string): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write(beginning)
  return socket
}

void t.test(
  'a thousand connections that never end their headers or bodies do not delay others, and are closed (F-22)',
  async (t) => {
    const { app, ask, baseUrl, registerAdmin } = await startApp(t)
    const { server } = app
    t.match(
      server,
      { headersTimeout: 20_000, requestTimeout: 60_000 },
      'headers may take 20 s, a whole request a minute',
    )
    // The test triggers these limits, so that it does not depend on the speed of the machine.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 })
    const connections = promisify<number>((callback) => server.getConnections(callback))
    const { token } = await registerAdmin()
    const beginnings = Array.from({ length: SENDERS }, (_, index) => BEGINNINGS[index % BEGINNINGS.length] ?? '')
    const senders = await Promise.all(beginnings.map((text) => slowSender(new URL(baseUrl), text)))
    t.teardown(() => senders.forEach((socket) => socket.destroy()))
    const open = (): Socket[] => senders.filter((socket) => !socket.destroyed)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const socket of senders) socket.write('x')
      t.equal((await ask('GET', '/api/v1/libraries', { token })).status, 200)
      t.equal(open().length, SENDERS, 'others are answered while all of these are open')
    }
    t.ok((await connections()) >= SENDERS)
    Object.assign(server, { headersTimeout: 1, requestTimeout: 1 })
    await waitUntil('the server closes every slow connection', () => {
      for (const socket of open()) socket.write('x')
      return open().length === 0
    })
    // Some connections of clients with complete requests are kept alive.
    await waitUntil('the server closes them', async () => (await connections()) < 20)
    Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000 })
    t.equal((await ask('GET', '/api/v1/libraries', { token })).status, 200)
  },
)
