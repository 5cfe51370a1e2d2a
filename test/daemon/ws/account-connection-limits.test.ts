import t from 'tap'
import { createAccountConnectionLimits } from '../../../src/daemon/ws/account-connection-limits.ts'
import { createMessageRateLimit } from '../../../src/daemon/ws/message-rate-limit.ts'
import { movableClock } from '../../support/records.ts'
import { dial, startSockets, type Client, type Refused } from '../../support/sockets.ts'
import { waitUntil } from '../../support/wait-until.ts'

const app = await startSockets(t, { environment: { RATE_LIMIT_WS_CONNECT_MAX: '10000' } })
const [user, other] = [await app.registerAdmin(), await app.registerUser()]

void t.test('an account has at most 128 connections, also if all are opened at once (WS-03)', async (t) => {
  const attempts = await Promise.allSettled(Array.from({ length: 140 }, () => app.connect(user.token)))
  const open = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
  t.equal(open.length, 128)
  for (const attempt of attempts) {
    if (attempt.status === 'fulfilled') continue
    const { status, text } = attempt.reason as Refused
    t.equal(status, 429)
    t.match(JSON.parse(text), { code: 'too_many_connections' })
  }
  ;(await app.connect(other.token)).socket.close()
  const [first, ...rest] = open
  first?.socket.close()
  await first?.closed
  const next = await app.connect(user.token)
  t.match(await dial(`${app.socketUrl}?token=${user.token}`).catch((error: unknown) => error), { status: 429 })
  for (const { socket } of [next, ...rest]) socket.close()
  await waitUntil('all are closed', () => app.server.sizes().connections === 0)
})

void t.test('the connections of an account share 100 messages a second (WS-04)', async (t) => {
  const clients = await Promise.all(Array.from({ length: 40 }, () => app.connect(user.token)))
  // Each connection stays within its own limit.
  for (const client of clients) for (let count = 0; count < 20; count += 1) client.send({ type: 'ping' })
  const isDone = ({ socket, waiting }: Client): boolean => socket.readyState === socket.CLOSED || waiting.length >= 20
  await waitUntil('all messages were answered, or their connections closed', () => clients.every(isDone))
  const answers = clients.flatMap(({ waiting }) => waiting)
  const pongs = answers.filter(({ type }) => type === 'pong').length
  t.ok(pongs > 0 && pongs <= 300, `${pongs} of 800 messages were handled`)
  t.ok(answers.some(({ data }) => data?.['code'] === 'rate_limited'))
  const ended = clients.find(({ socket }) => socket.readyState === socket.CLOSED)
  t.match(await ended?.closed, { code: 4429 })
  for (const { socket } of clients) socket.close()
  const stranger = await app.connect(other.token)
  stranger.send({ type: 'ping' })
  t.ok(await stranger.next('pong'), 'other accounts are not limited')
  stranger.socket.close()
})

void t.test('an account that has used up its messages gets 100 again in a second, on any connection', (t) => {
  const clock = movableClock()
  const limits = createAccountConnectionLimits(clock)
  const shares = Array.from({ length: 16 }, () => limits.open('a'))
  const connections = shares.map(({ messages }) => createMessageRateLimit(clock, messages))
  const takeAll = () => connections.flatMap((one) => Array.from({ length: 20 }, () => one.take()))
  t.equal(takeAll().filter((verdict) => verdict === 'fine').length, 300)
  clock.advance(1)
  t.equal(takeAll().filter((verdict) => verdict === 'fine').length, 100)
  t.equal(createMessageRateLimit(clock, limits.open('b').messages).take(), 'fine')
  for (const share of shares) share.release()
  t.equal(limits.size(), 1, 'nothing is kept of an account without connections')
  t.end()
})
