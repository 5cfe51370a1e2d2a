import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createMessageRateLimit } from '../../../src/daemon/ws/message-rate-limit.ts'
import { movableClock } from '../../support/records.ts'
import { clientFrame, closeCode, rawSocket, startSockets } from '../../support/sockets.ts'

const app = await startSockets(t, { environment: { RATE_LIMIT_WS_CONNECT_MAX: '1000' } })
const { token } = await app.registerUser()

const [TEXT, FINAL, COMPRESSED, PING] = [0x01, 0x80, 0x40, 0x09]

const RAW: [claim: string, code: number, frames: Buffer[]][] = [
  ['invalid UTF-8', 1007, [clientFrame(FINAL | TEXT, Buffer.from([0xc3, 0x28]))]],
  ['no mask', 1002, [Buffer.from([FINAL | TEXT, 2, 0x7b, 0x7d])]],
  ['compression, which was not agreed on', 1002, [clientFrame(FINAL | COMPRESSED | TEXT, Buffer.alloc(100))]],
  ['an unknown opcode', 1002, [clientFrame(FINAL | 0x03, Buffer.alloc(1))]],
  ['a ping of 126 bytes', 1002, [clientFrame(FINAL | PING, Buffer.alloc(126))]],
  ['more than 16 KiB', 1009, [clientFrame(FINAL | TEXT, Buffer.alloc(16 * 1024 + 1, 'x'))]],
  [
    'more than 16 KiB in fragments',
    1009,
    [clientFrame(TEXT, Buffer.alloc(8192, 'x')), clientFrame(0, Buffer.alloc(8193, 'x'))],
  ],
  [
    'fragments without end',
    1008,
    [clientFrame(TEXT, Buffer.alloc(1, 'x')), ...Array.from({ length: 64 }, () => clientFrame(0, Buffer.alloc(0)))],
  ],
  // A length of 2^63 - 1: no memory is allocated before the data arrives.
  [
    'a length without bytes',
    1009,
    [Buffer.from([FINAL | TEXT, 0xff, 0x7f, ...Array<number>(7).fill(0xff), 0, 0, 0, 0])],
  ],
]

for (const [claim, code, frames] of RAW) {
  void t.test(`a connection ends with ${code} and disturbs nobody: ${claim} (WS-04)`, async (t) => {
    const other = await app.connect(token)
    const socket = await rawSocket(app.server.port, token)
    socket.write(Buffer.concat(frames))
    t.equal(await closeCode(socket), code)
    other.send({ type: 'ping' })
    t.ok(await other.next('pong'))
    other.socket.close()
  })
}

void t.test('one frame of more than 1 MiB ends its connection with 1009 (WS-04)', async (t) => {
  const client = await app.connect(token)
  client.socket.on('error', () => {})
  client.send('x'.repeat(1024 * 1024 + 1))
  t.match(await client.closed, { code: 1009 })
})

const FLOODS: [claim: string, frame: Buffer][] = [
  ['10,000 small messages', clientFrame(FINAL | TEXT, Buffer.from('{"type":"ping"}'))],
  ['10,000 messages that are no JSON', clientFrame(FINAL | TEXT, Buffer.from('x'))],
  ['10,000 pings', clientFrame(FINAL | PING, Buffer.alloc(0))],
]

for (const [claim, frame] of FLOODS) {
  void t.test(`a flood ends its connection with 4429 and disturbs nobody: ${claim} (WS-04)`, async (t) => {
    const other = await app.connect(token)
    const socket = await rawSocket(app.server.port, token)
    const ended = closeCode(socket)
    socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => frame)))
    other.send({ type: 'ping' })
    t.ok(await other.next('pong'))
    t.equal(await ended, 4429)
    other.socket.close()
  })
}

void t.test('20 messages a second are read, the third above that is one too many', (t) => {
  const clock = movableClock()
  const allowance = createMessageRateLimit(clock, { take: () => true })
  const take = (count: number) => Array.from({ length: count }, () => allowance.take())
  t.strictSame(take(22), [...Array<string>(20).fill('fine'), 'too_many', 'too_many'])
  clock.advance(0.5)
  t.strictSame(take(10), Array<string>(10).fill('fine'))
  t.strictSame(take(1), ['exhausted'], 'violations are counted')
  clock.advance(1)
  t.strictSame(take(21), [...Array<string>(20).fill('fine'), 'too_many'], 'until a second without haste')
  t.end()
})

void t.test('a client that exceeds the rate limit gets an error before the connection is closed', async (t) => {
  const client = await app.connect(token)
  for (let count = 0; count < 21; count++) client.send({ type: 'ping' })
  t.match(await client.next('error'), { data: { code: 'rate_limited' } })
  client.socket.close()
})

void t.test('a client that does not read is disconnected, and the others receive everything (WS-06)', async (t) => {
  const slow = await rawSocket(app.server.port, token)
  const other = await app.connect(token)
  const before = app.server.sizes().connections
  const event = {
    libraryId: 'x'.repeat(4000),
    scanJobId: '',
    jobType: 'scan',
    outcome: 'completed',
    itemsAdded: 0,
    itemsRemoved: 0,
  } as const
  let sent = 0
  while (app.server.sizes().connections === before && sent < 20_000) {
    app.services.events.publish('library.updated', { ...event, scanJobId: String(++sent) })
    // The other client must read in time, or it would be disconnected too.
    while ((await other.next('library_updated')).data?.['job_id'] !== String(sent));
    await turn()
  }
  t.equal(app.server.sizes().connections, before - 1, `after ${sent} messages`)
  slow.destroy()
  other.socket.close()
})
