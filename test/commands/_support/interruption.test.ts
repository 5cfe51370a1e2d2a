import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { startPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

void t.test('a signal ends a command that waits for its database, with 128 and the signal’s number', async (t) => {
  // A database server that accepts the connection and never responds.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const sockets = new Set<{ destroy(): void }>()
  silent.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const environment = { DB_HOST: '127.0.0.1', DB_PORT: String((silent.address() as AddressInfo).port) }
  const data = await temporaryDataDirectory(t)
  for (const [signal, code, word] of [
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const) {
    const connected = once(silent, 'connection')
    const { child, result } = startPhlix(['library:list', '--json', '--data-dir', data], { environment })
    await connected
    child.kill(signal)
    const ended = await result
    t.equal(ended.code, code)
    t.equal(ended.stderr, '')
    t.match(JSON.parse(ended.stdout), { error: { code: word, exit: code, message: /^(Interrupted|Terminated)$/ } })
  }
})
