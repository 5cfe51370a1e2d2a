import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { registerAdmin, startDaemon, stopDaemon } from '../support/daemon.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'

const SENDERS = 1000

/** What `slowhttptest` sends with -H, -B and -R before it goes on byte by byte. */
const BEGINNINGS: readonly string[] = [
  'GET /api/v1/libraries HTTP/1.1\r\nhost: phlix\r\nx-slow: ',
  'POST /api/v1/auth/login HTTP/1.1\r\nhost: phlix\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n{',
  `GET / HTTP/1.1\r\nhost: phlix\r\nrange: bytes=0-${',5-0'.repeat(200)}\r\nx-slow: `,
]

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function slowSender(address: URL, beginning: string): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write(beginning)
  return socket
}

void t.test(
  'a thousand connections that never end their headers or bodies hold up nobody, and are dropped in time (F-22)',
  async (t) => {
    const daemon = await startDaemon(await temporaryDataDirectory(t))
    t.teardown(() => stopDaemon(daemon))
    const api = await registerAdmin(daemon)
    const descriptors = async (): Promise<number> => (await readdir(`/proc/${daemon.child.pid}/fd`)).length
    await api('GET', '/libraries')
    const before = await descriptors()
    const beginnings = Array.from({ length: SENDERS }, (_, index) => BEGINNINGS[index % BEGINNINGS.length] ?? '')
    const senders = await Promise.all(beginnings.map((text) => slowSender(new URL(daemon.address), text)))
    const open = (): Socket[] => senders.filter((socket) => !socket.destroyed)
    const answered: number[] = []
    for (let round = 0; round < 10; round += 1) {
      for (const socket of open()) socket.write('x')
      await api('GET', '/libraries')
      answered.push(open().length)
      await pause(200)
    }
    t.ok(
      answered.every((count) => count > SENDERS / 2),
      `others are answered while these are open: ${answered.join(' ')}`,
    )
    // Headers may take 20 s and a whole request a minute; the test's own time limit is the deadline.
    while (open().length > 0) {
      for (const socket of open()) socket.write('x')
      await pause(500)
    }
    while ((await descriptors()) > before + 20) await pause(50)
    await api('GET', '/libraries')
  },
)
