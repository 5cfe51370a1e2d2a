import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { testServices } from '../../../support/services.ts'
import { startApp } from '../../../support/app.ts'
import { migratedDatabase } from '../../../support/database.ts'
import { dial, type Client } from '../../../support/sockets.ts'
import { startSocketServer } from '../../../../src/daemon/ws/server.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { groupOf, settled } from './watch-group-setup.ts'

const database = { environment: await migratedDatabase(t) }

/** One of several daemons on one database. */
async function startDaemon() {
  const services = await testServices(t, {
    flags: { 'server.host': '127.0.0.1', 'server.websocket_port': '0' },
    environment: { ...database.environment, RATE_LIMIT_WS_CONNECT_MAX: '1000' },
  })
  const app = await startApp(t, { services })
  const server = await startSocketServer(services, app)
  t.teardown(() => server.close())
  const enter = async (accountId: string): Promise<Client & { token: string }> => {
    const token = await app.signIn(accountId)
    const client = await dial(`ws://127.0.0.1:${server.port}`, { headers: { authorization: `Bearer ${token}` } })
    await client.next('connected')
    return { ...client, token }
  }
  return { ...app, server, enter }
}

const [one, other] = [await startDaemon(), await startDaemon()]
const { account } = await one.registerUser()

/** An account has few groups. */
const second = await createAccount(one.services, {
  username: 'second',
  email: 'second@example.test',
  password: 'correct horse',
  isAdmin: false,
})

void t.test('clients of two processes are in one group', async (t) => {
  const [host, guest] = [await one.enter(account.id), await other.enter(account.id)]
  host.send({ type: 'syncplay_group_create', group_name: 'Two', password: 'hello' })
  const created = await host.next('syncplay_group_state')
  const groupId = groupOf(created)['group_id']
  guest.send({ type: 'syncplay_group_list' })
  t.match(await guest.next('syncplay_group_list'), { groups: [{ id: groupId, has_password: true }] })
  guest.send({ type: 'syncplay_group_join', group_id: groupId, password: 'wrong' })
  t.match(await guest.next('syncplay_error'), { error_code: 'wrong_group_password' })
  guest.send({ type: 'syncplay_group_join', group_id: groupId, password: 'hello' })
  const joined = await guest.next('syncplay_group_state')
  t.match(joined, { group: { member_count: 2, host_id: created['your_id'] } })
  t.not(joined['your_id'], created['your_id'])

  host.send({ type: 'syncplay_playback_play', position: 1000 })
  for (const client of [host, guest]) t.match(await client.next('syncplay_playback_play'), { position: 1000 })
  guest.send({ type: 'syncplay_playback_pause' })
  t.match(await guest.next('syncplay_error'), { error_code: 'NOT_HOST' })
  const long = '€'.repeat(1000)
  guest.send({ type: 'syncplay_chat', message: long })
  for (const client of [host, guest]) t.match(await client.next('syncplay_chat'), { message: long })
  const { processId } = one.services.watchGroups
  t.match(joined, { process_id: processId }, 'whose clock the group has')
  guest.send({ type: 'syncplay_time_ping', client_time: 5 })
  t.match(await guest.next('syncplay_time_pong'), { client_time: 5, process_id: processId })
  const queue = Array.from({ length: 14 }, (_, index) => ({ media_id: String(index), media_info: 'ü'.repeat(500) }))
  host.send({ type: 'syncplay_playback_queue', queue })
  t.match(await guest.next('syncplay_playback_queue'), { queue }, 'a message that is longer than a notification')

  guest.socket.close()
  t.match(await host.next('syncplay_info'), { code: 'joined' })
  t.match(await host.next('syncplay_info'), { code: 'lost', affected_member_id: joined['your_id'] })
  host.socket.close()
})

void t.test('seats are taken and left over HTTP in a group of another process', async (t) => {
  const token = await one.signIn(account.id)
  const created = await one.ask('POST', '/api/v1/syncplay/groups', { token, body: { name: 'HTTP' } })
  const id = (created.json as { group: { id: string } }).group.id
  const guest = await other.signIn(account.id)
  const ask = (action: string) => other.ask('POST', `/api/v1/syncplay/groups/${id}/${action}`, { token: guest })
  t.match(await ask('join'), { status: 200, json: { group: { member_count: 2 } } })
  t.equal(one.services.watchGroups.find(id)?.members.size, 2)
  t.match(await ask('leave'), { status: 200 })
  t.match(await ask('leave'), { status: 403, json: { code: 'not_a_member' } })
  t.equal(one.services.watchGroups.find(id)?.members.size, 1)
})

void t.test('a client keeps its seat until it has one in a group of another process', async (t) => {
  const [traveller, host] = [await one.enter(account.id), await other.enter(account.id)]
  const create = async (client: Client, fields: object) => {
    client.send({ type: 'syncplay_group_create', ...fields })
    return String(groupOf(await client.next('syncplay_group_state'))['group_id'])
  }
  const home = await create(traveller, { group_name: 'Home', password: 'home' })
  const away = await create(host, { group_name: 'Away', password: 'hello' })
  const join = (groupId: string, password: string): void =>
    traveller.send({ type: 'syncplay_group_join', group_id: groupId, password })
  const chat = async (groupId: string): Promise<void> => {
    traveller.send({ type: 'syncplay_chat', group_id: groupId, message: 'here' })
    t.match(await traveller.next('syncplay_chat'), { group_id: groupId })
  }
  join(away, 'wrong')
  t.match(await traveller.next('syncplay_error'), { error_code: 'wrong_group_password' })
  await chat(home)
  join(away, 'hello')
  t.match(await traveller.next('syncplay_group_state'), { group: { group_id: away, member_count: 2 } })
  await chat(away)
  t.equal(one.services.watchGroups.find(home), undefined, 'the group without members has ended')

  const owner = await one.enter(account.id)
  const back = await create(owner, { group_name: 'Back', password: 'back' })
  join(back, 'wrong')
  t.match(await traveller.next('syncplay_error'), { error_code: 'wrong_group_password' })
  await chat(away)
  join(back, 'back')
  t.match(await traveller.next('syncplay_group_state'), { group: { group_id: back, member_count: 2 } })
  await chat(back)
  await waitUntil('the seat is given up', () => other.services.watchGroups.find(away)?.members.size === 1)
  for (const client of [traveller, host, owner]) client.socket.close()
})

void t.test('a group outlives its process: its members join the other one, with their seats', async (t) => {
  const first = await startDaemon()
  const [host, guest] = [await first.enter(account.id), await other.enter(account.id)]
  host.send({ type: 'syncplay_group_create', group_name: 'Moving' })
  const created = await host.next('syncplay_group_state')
  const groupId = String(groupOf(created)['group_id'])
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  const joined = await guest.next('syncplay_group_state')
  host.send({ type: 'syncplay_playback_play', position: 1000 })
  await guest.next('syncplay_playback_play')
  const timeline = first.services.watchGroups.find(groupId)?.timeline

  await first.server.close()
  await first.services.close()
  await host.closed
  t.match(await guest.next('syncplay_error'), { error_code: 'group_moved' })
  guest.send({ type: 'syncplay_group_join', group_id: groupId, resume_token: joined['resume_token'] })
  t.match(await guest.next('syncplay_group_state'), {
    your_id: joined['your_id'],
    group: { timeline: { seq: Number(timeline?.seq) + 1000 } },
  })
  const { seq: _seq, epoch: _epoch, ...course } = timeline ?? {}
  t.match(other.services.watchGroups.find(groupId)?.timeline, course, 'playback has not stopped')
  const again = await other.enter(account.id)
  again.send({ type: 'syncplay_group_join', group_id: groupId, resume_token: created['resume_token'] })
  t.match(await again.next('syncplay_group_state'), { your_id: created['your_id'], group: { member_count: 2 } })
  again.send({ type: 'syncplay_playback_pause' })
  t.ok(await guest.next('syncplay_playback_pause'), 'the host has kept its role')
  for (const client of [guest, again]) client.socket.close()
  await waitUntil('no seat is left', () => other.server.sizes().seats === 0)
})

void t.test('a server that stops gives up its groups before its last answers are sent', async (t) => {
  const first = await startDaemon()
  const [host, guest] = [await first.enter(second.id), await other.enter(second.id)]
  host.send({ type: 'syncplay_group_create', group_name: 'Draining' })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  const joined = await guest.next('syncplay_group_state')
  // The services end only after the answers of HTTP.
  await first.server.close()
  t.match(await guest.next('syncplay_error'), { error_code: 'group_moved' })
  t.equal(await other.services.watchGroups.locate(groupId), undefined, 'the other process takes it over')
  guest.send({ type: 'syncplay_group_join', group_id: groupId, resume_token: joined['resume_token'] })
  t.match(await guest.next('syncplay_group_state'), { your_id: joined['your_id'] })
  guest.socket.close()
  await first.services.close()
})

/** A daemon with a group of three, two of them on the other daemon, whose process then ends without a word. */
async function startAndKill() {
  const first = await startDaemon()
  const [host, guest, silent] = [
    await first.enter(second.id),
    await other.enter(second.id),
    await other.enter(second.id),
  ]
  host.send({ type: 'syncplay_group_create', group_name: 'Killed' })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  const join = { type: 'syncplay_group_join', group_id: groupId }
  for (const client of [guest, silent]) {
    client.send(join)
    await client.next('syncplay_group_state')
  }
  await first.services.watchGroups.close()
  return { join, guest, silent, close: () => [host, guest, silent].forEach(({ socket }) => socket.close()) }
}

void t.test('all members of a group hear that its process has ended when one of them has found out', async (t) => {
  const { join, guest, silent, close } = await startAndKill()
  guest.send(join)
  await guest.next('syncplay_group_state')
  await settled(silent)
  t.match(
    silent.waiting.filter(({ type }) => type === 'syncplay_error'),
    [{ error_code: 'group_moved' }],
  )
  close()
})

void t.test('members of a process that has ended hear it with the next checks, also if nobody asks', async (t) => {
  const { guest, silent, close } = await startAndKill()
  for (const _ of [1, 2]) await other.server.check()
  for (const client of [guest, silent]) {
    await settled(client)
    t.match(
      client.waiting.filter(({ type }) => type === 'syncplay_error'),
      [{ error_code: 'group_moved' }],
    )
  }
  close()
})

/** Breaks the connection of a process to the others; resolves when it is open again. */
async function breakLink({ services }: Awaited<ReturnType<typeof startDaemon>>): Promise<void> {
  const { watchGroups, db } = services
  const reopened = new Promise<void>((resolve) => {
    const stop = watchGroups.onReopened(() => {
      stop()
      resolve()
    })
  })
  const name = `phlix phlix_watch_${watchGroups.processId.replaceAll('-', '')}`.slice(0, 63)
  await db.query(sql.unsafe`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`)
  await reopened
}

void t.test('after a lost connection between the processes the members join again, on either side', async (t) => {
  const [host, guest] = [await one.enter(account.id), await other.enter(account.id)]
  host.send({ type: 'syncplay_group_create', group_name: 'Broken' })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  const join = { type: 'syncplay_group_join', group_id: groupId }
  guest.send(join)
  let { resume_token: token } = await guest.next('syncplay_group_state')
  for (const daemon of [one, other]) {
    await breakLink(daemon)
    t.match(await guest.next('syncplay_error'), { error_code: 'group_moved' })
    guest.send({ ...join, resume_token: token })
    const joined = await guest.next('syncplay_group_state')
    t.match(joined, { group: { member_count: 2 } })
    token = joined['resume_token']
    host.send({ type: 'syncplay_chat', message: 'still here' })
    t.match(await guest.next('syncplay_chat'), { message: 'still here' })
  }
  for (const client of [host, guest]) client.socket.close()
  await waitUntil('no connection has a seat', () => one.server.sizes().seats + other.server.sizes().seats === 0)
})

void t.test('a client that another process does not know any more loses its place there', async (t) => {
  const [host, guest] = [await one.enter(account.id), await other.enter(account.id)]
  host.send({ type: 'syncplay_group_create', group_name: 'Ghost' })
  const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  const { your_id: memberId } = await guest.next('syncplay_group_state')
  const peer = { id: 'a lost connection', sessionId: 'x', person: { id: account.id, username: 'ghost' } }
  await other.services.watchGroups.send(one.services.watchGroups.processId, {
    kind: 'command',
    from: other.services.watchGroups.processId,
    peer,
    type: 'syncplay_group_join',
    content: { type: 'syncplay_group_join', group_id: groupId },
  })
  const states = async (code: string) => {
    for (;;) {
      const info = await host.next('syncplay_info')
      const id = info['member_id'] ?? info['affected_member_id']
      if (info['code'] === code && id !== memberId) return id
    }
  }
  const ghost = await states('joined')
  t.equal(await states('lost'), ghost)
  for (const client of [host, guest]) client.socket.close()
})
