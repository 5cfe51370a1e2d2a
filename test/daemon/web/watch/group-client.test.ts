import t from 'tap'
import { waitUntil } from '../../../support/wait-until.ts'

type GroupClient = {
  clock: { isKnown(): boolean; serverTime(): number }
  group(): object | undefined
  create(fields: { name: string }): void
  join(group: { groupId: string; password?: string }): void
  leave(): void
  wake(): void
  end(): void
  stop(): void
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/group-client.js', import.meta.url).href
const { createGroupClient } = (await import(path)) as {
  createGroupClient: (parts: object, listeners: object) => GroupClient
}

class FakeSocket extends EventTarget {
  readyState = 1
  readonly sent: { type: string; group_id?: string; password?: string; resume_token?: string }[] = []

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FakeSocket['sent'][number])
  }

  close(): void {
    this.readyState = 3
    queueMicrotask(() => this.dispatchEvent(new Event('close')))
  }

  take(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }

  types = (): string[] => this.sent.map(({ type }) => type).filter((type) => type !== 'syncplay_time_ping')
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function welcome(groupId: string, processId?: string) {
  const group = { group_id: groupId, timeline: {} }
  return { type: 'syncplay_group_state', group, your_id: 'm', resume_token: 'token', process_id: processId }
}

/** The answer of a process to a ping that was sent at 0. */
function pong(processId: string, serverTime: number) {
  const times = { precise_server_time: serverTime, precise_server_send_time: serverTime }
  return { type: 'syncplay_time_pong', client_time: 0, ...times, process_id: processId }
}

const refusal = (code: string) => ({ type: 'syncplay_error', code, message: code })

function startClient(kept?: { groupId: string; resumeToken: string }) {
  const opened: PromiseWithResolvers<FakeSocket>[] = []
  const [seats, groups]: [unknown[], unknown[]] = [[], []]
  const problems: unknown[] = []
  let time = 0
  const client = createGroupClient(
    {
      open() {
        const next = Promise.withResolvers<FakeSocket>()
        opened.push(next)
        return next.promise
      },
      now: () => time,
      kept,
    },
    {
      onSeat: (seat: unknown) => seats.push(seat),
      onGroup: (group: unknown) => groups.push(group),
      onProblem: (_text: string, code: string, refused: unknown) => problems.push({ code, refused }),
    },
  )
  t.teardown(() => client.stop())
  const connect = async (): Promise<FakeSocket> => {
    const socket = new FakeSocket()
    opened.at(-1)?.resolve(socket)
    await settled()
    return socket
  }
  return { client, connect, opened, seats, groups, problems, advance: (milliseconds: number) => (time += milliseconds) }
}

void t.test(
  'the end gives up the seat: the next user of the page does not join the group of the one before',
  async (t) => {
    const { client, connect, opened, seats, groups } = startClient({ groupId: 'g', resumeToken: 'r' })
    const socket = await connect()
    socket.take(welcome('g'))
    client.end()
    await settled()
    t.strictSame(socket.types(), ['syncplay_group_join', 'syncplay_group_leave'])
    t.equal(socket.readyState, 3)
    t.equal(seats.at(-1), undefined)
    t.equal(client.group(), undefined)
    client.join({ groupId: 'h' })
    const next = await connect()
    t.equal(opened.length, 2)
    t.match(
      next.sent.find(({ type }) => type === 'syncplay_group_join'),
      { group_id: 'h' },
    )
    const before = groups.length
    socket.take(welcome('g'))
    t.equal(groups.length, before, 'the connection of the user before is not heard')
  },
)

void t.test('a connection that was being opened for the user before is not used', async (t) => {
  const { client, connect, opened } = startClient({ groupId: 'g', resumeToken: 'r' })
  client.end()
  client.join({ groupId: 'h' })
  const late = await connect()
  t.strictSame(late.sent, [])
  t.equal(late.readyState, 3)
  t.equal(opened.length, 2, 'another one is opened')
  t.match(
    (await connect()).sent.find(({ type }) => type === 'syncplay_group_join'),
    { group_id: 'h' },
  )
})

void t.test('a hidden page, whose timers are slow, keeps a connection that answers', async (t) => {
  const { client, connect, advance } = startClient({ groupId: 'g', resumeToken: 'r' })
  const socket = await connect()
  for (let minute = 0; minute < 5; minute += 1) {
    socket.take(pong('one', 0))
    advance(60_000)
    client.wake()
    t.equal(socket.readyState, 1)
  }
  t.ok(socket.sent.filter(({ type }) => type === 'syncplay_time_ping').length > 5, 'it asks')
  advance(60_000)
  client.wake()
  t.equal(socket.readyState, 1, 'the answer may not have been read yet')
  advance(60_000)
  client.wake()
  t.equal(socket.readyState, 3, 'nothing has answered twice')
})

void t.test('a connection that does not answer for 12 s is closed', async (t) => {
  const { client, connect, advance } = startClient({ groupId: 'g', resumeToken: 'r' })
  const socket = await connect()
  for (let count = 0; count < 6; count += 1) client.wake()
  for (let count = 0; count < 3; count += 1) {
    advance(4000)
    client.wake()
  }
  t.equal(socket.readyState, 1)
  advance(4000)
  client.wake()
  t.equal(socket.readyState, 3)
})

void t.test('the clock is that of the process of the group, also after the group has moved', async (t) => {
  const { client, connect } = startClient({ groupId: 'g', resumeToken: 'r' })
  const socket = await connect()
  socket.take(pong('local', 600_000))
  t.equal(client.clock.serverTime(), 600_000)
  socket.take(welcome('g', 'owner'))
  t.notOk(client.clock.isKnown(), 'the clock of the local process says nothing about it')
  t.equal(socket.sent.at(-1)?.type, 'syncplay_time_ping', 'it is asked at once')
  socket.take(pong('local', 600_000))
  t.notOk(client.clock.isKnown(), 'a late answer of the other process does not count')
  socket.take(pong('owner', 5000))
  t.equal(client.clock.serverTime(), 5000)
  socket.take(welcome('g', 'owner'))
  t.ok(client.clock.isKnown())
  socket.take(welcome('g', 'next'))
  t.notOk(client.clock.isKnown())
  socket.take(pong('next', -7000))
  t.equal(client.clock.serverTime(), -7000)
})

void t.test('a creation that is refused is over; the seat before is kept', async (t) => {
  const { client, connect, groups, problems } = startClient()
  client.create({ name: 'A' })
  const socket = await connect()
  socket.take(refusal('too_many_groups'))
  t.strictSame(groups, [undefined], 'the page knows that there is no group')
  t.match(problems, [{ code: 'too_many_groups', refused: { type: 'syncplay_group_create' } }])
  socket.take(refusal('group_moved'))

  client.join({ groupId: 'g' })
  socket.take(welcome('g'))
  client.create({ name: 'B' })
  socket.take(refusal('too_many_groups'))
  client.join({ groupId: 'h', password: 'wrong' })
  socket.take(refusal('wrong_group_password'))
  t.match(problems.at(-1), { refused: { group_id: 'h', password: 'wrong' } })
  t.match(client.group(), { group_id: 'g' })
  socket.take(refusal('not_a_member'))
  t.match(socket.sent.at(-1), { type: 'syncplay_group_join', group_id: 'g', resume_token: 'token' })
})

void t.test('the way back to a group has its password, also if the seat has ended', async (t) => {
  const { client, connect, opened, seats } = startClient()
  client.join({ groupId: 'g', password: 'hello' })
  const socket = await connect()
  socket.take(welcome('g'))
  t.strictSame(seats, [{ groupId: 'g', resumeToken: 'token' }], 'a reload does not keep the password')
  for (const attempt of [2, 3]) {
    const before = await (attempt === 2 ? socket : connect())
    before.take(welcome('g'))
    before.close()
    await waitUntil('it connects again', () => opened.length === attempt)
  }
  const last = await connect()
  t.match(
    last.sent.find(({ type }) => type === 'syncplay_group_join'),
    { group_id: 'g', password: 'hello', resume_token: 'token' },
  )
})

void t.test('who leaves while the group moves does not come back', async (t) => {
  for (const code of ['not_a_member', 'group_moved']) {
    const { client, connect, groups } = startClient()
    client.join({ groupId: 'g' })
    const socket = await connect()
    socket.take(welcome('g'))
    client.leave()
    socket.take(refusal(code))
    await waitUntil('the page knows that it has no group', () => groups.at(-1) === undefined)
    t.strictSame(socket.types(), ['syncplay_group_join', 'syncplay_group_leave'])
  }
})
