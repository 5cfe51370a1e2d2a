import t from 'tap'

type GroupClient = { group(): object | undefined; join(group: { groupId: string }): void; end(): void; stop(): void }

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/watch/group-client.js', import.meta.url).href
const { createGroupClient } = (await import(path)) as {
  createGroupClient: (parts: object, listeners: object) => GroupClient
}

class FakeSocket extends EventTarget {
  readyState = 1
  readonly sent: { type: string; group_id?: string }[] = []

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

function welcome(groupId: string) {
  return { type: 'syncplay_group_state', group: { group_id: groupId }, your_id: 'm', resume_token: 'token' }
}

function startClient(kept?: { groupId: string; resumeToken: string }) {
  const opened: PromiseWithResolvers<FakeSocket>[] = []
  const [seats, groups]: [unknown[], unknown[]] = [[], []]
  const client = createGroupClient(
    {
      open() {
        const next = Promise.withResolvers<FakeSocket>()
        opened.push(next)
        return next.promise
      },
      now: () => 0,
      kept,
    },
    { onSeat: (seat: unknown) => seats.push(seat), onGroup: (group: unknown) => groups.push(group) },
  )
  t.teardown(() => client.stop())
  const connect = async (): Promise<FakeSocket> => {
    const socket = new FakeSocket()
    opened.at(-1)?.resolve(socket)
    await settled()
    return socket
  }
  return { client, connect, opened, seats, groups }
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
