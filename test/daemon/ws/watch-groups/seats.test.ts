import t from 'tap'
import { disableAccount } from '../../../../src/core/accounts/index.ts'
import { dial, type Client } from '../../../support/sockets.ts'
import { waitUntil } from '../../../support/wait-until.ts'
import { groupOf, settled, startGroups } from './watch-group-setup.ts'

const app = await startGroups(t)
const { services, clock, server } = app

async function newGroup(client: Client, fields: object = {}) {
  client.send({ type: 'syncplay_group_create', ...fields })
  const state = await client.next('syncplay_group_state')
  return { groupId: String(groupOf(state)['group_id']), id: state['your_id'], token: state['resume_token'] }
}

async function joinGroup(client: Client, groupId: string, fields: object = {}) {
  client.send({ type: 'syncplay_group_join', group_id: groupId, ...fields })
  const state = await client.next('syncplay_group_state')
  return { state, id: state['your_id'], token: state['resume_token'] }
}

const members = (groupId: string) => [...(services.watchGroups.find(groupId)?.members.values() ?? [])]

void t.test('a lost client takes its seat again with its resume token, also in a new session', async (t) => {
  const host = await app.enter()
  const { groupId, id, token } = await newGroup(host)
  host.socket.terminate()
  await waitUntil('the seat is lost', () => members(groupId)[0]?.isConnected === false)
  const stranger = await app.enter(app.admin.account.id)
  t.not((await joinGroup(stranger, groupId, { resume_token: token })).id, id, 'a token of another account is no seat')
  const again = await app.enter()
  const resumed = await joinGroup(again, groupId, { resume_token: token })
  t.match(resumed, { id, token, state: { group: { member_count: 2, host_id: id } } })
  t.match(await stranger.next('syncplay_info'), { code: 'resumed', affected_member_id: id })
  for (const client of [again, stranger]) client.socket.close()
})

void t.test('a second connection of a session takes the seat from the first', async (t) => {
  const first = await app.enter()
  const { groupId, id } = await newGroup(first)
  const second = await dial(app.socketUrl, { headers: { authorization: `Bearer ${first.token}` } })
  t.equal((await joinGroup(second, groupId)).id, id)
  t.match(await first.next('syncplay_error'), { error_code: 'seat_taken' })
  first.send({ type: 'syncplay_chat', message: 'hi' })
  t.match(await first.next('syncplay_error'), { error_code: 'not_a_member' })
  first.socket.close()
  await first.closed
  await settled(second)
  t.match(members(groupId), [{ isConnected: true }], 'the end of the first connection does not disconnect the seat')
  second.socket.close()
})

void t.test('a client that takes another seat of its group leaves the one before', async (t) => {
  const lost = await app.enter()
  const { groupId, id, token } = await newGroup(lost)
  const other = await app.enter(app.admin.account.id)
  await joinGroup(other, groupId)
  lost.socket.terminate()
  await waitUntil('the seat is lost', () => members(groupId)[0]?.isConnected === false)
  const again = await app.enter(app.user.account.id, groupId)
  const { your_id: roomSeat } = await again.next('syncplay_group_state')
  t.not(roomSeat, id, 'the address of the connection gives a new seat')
  t.equal((await joinGroup(again, groupId, { resume_token: token })).id, id)
  t.strictSame(new Set(members(groupId).map((member) => member.id)), new Set([id, members(groupId)[1]?.id]))
  t.match(members(groupId), [{ isConnected: true }, { isConnected: true }])
  t.equal(services.watchGroups.find(groupId)?.hostId, id)
  for (const client of [again, other]) client.socket.close()
})

void t.test(
  'a host whose connection gets another session takes a new seat, and the group has a host that is there',
  async (t) => {
    const host = await app.enter()
    const { groupId, id } = await newGroup(host)
    host.send({ type: 'auth_request', data: { token: await app.signIn(app.user.account.id) } })
    await host.next('auth_success')
    const seat = await joinGroup(host, groupId)
    t.not(seat.id, id)
    t.match(members(groupId), [{ id: seat.id, isConnected: true }], 'the seat before has ended')
    host.send({ type: 'syncplay_playback_seek', to_position: 1000 })
    t.match(await host.next('syncplay_playback_seek'), { member_id: seat.id })
    await settled(host)
    t.notOk(
      host.waiting.some(({ type }) => type === 'syncplay_error'),
      'it controls the group',
    )
    host.socket.close()
  },
)

void t.test('a sweep disconnects a member that no client has', async (t) => {
  const host = await app.enter()
  const { groupId, id } = await newGroup(host)
  const token = await app.signIn(app.admin.account.id)
  const joined = await app.ask('POST', `/api/v1/syncplay/groups/${groupId}/join`, { token })
  const { your_id: ghost } = joined.json as { your_id: string }
  services.watchGroups.dispatch(groupId, { kind: 'connect', memberId: ghost })
  t.match(members(groupId), [{ isConnected: true }, { isConnected: true }])
  await server.sweep()
  t.match(members(groupId), [
    { id, isConnected: true },
    { id: ghost, isConnected: false },
  ])
  host.socket.close()
})

void t.test('a lost seat ends after 60 s, and the group after an hour; nothing is left', async (t) => {
  const host = await app.enter()
  const { groupId } = await newGroup(host)
  host.socket.close()
  await waitUntil('the seat is lost', () => members(groupId)[0]?.isConnected === false)
  clock.advance(60)
  await server.sweep()
  t.strictSame(members(groupId), [])
  clock.advance(3600)
  await server.sweep()
  t.equal(services.watchGroups.find(groupId), undefined)
  const token = await app.signIn(app.user.account.id)
  await waitUntil('the row is deleted', async () => {
    const { status } = await app.ask('GET', `/api/v1/syncplay/groups/${groupId}`, { token })
    return status === 404
  })
  t.equal(server.sizes().seats, 0)
})

void t.test('who is in a group and joins another leaves the first', async (t) => {
  const [one, other] = [await app.enter(), await app.enter()]
  const [first, second] = [await newGroup(one), await newGroup(other)]
  await joinGroup(one, second.groupId)
  t.strictSame(members(first.groupId), [])
  t.equal(members(second.groupId).length, 2)
  for (const client of [one, other]) client.socket.close()
})

void t.test('groups are listed, created, joined and left over HTTP; members are a map', async (t) => {
  const [token, other] = [await app.signIn(app.user.account.id), await app.signIn(app.admin.account.id)]
  const path = '/api/v1/syncplay/groups'
  const body = { name: 'HTTP', description: 'x', isPublic: false, memberName: 'Ann', password: 'hello' }
  const created = await app.ask('POST', path, { token, body })
  t.equal(created.status, 201)
  const { group, your_id: id } = created.json as { group: Record<string, unknown>; your_id: string }
  const groupId = String(group['id'])
  t.match(group, { name: 'HTTP', host_id: id, members: { [id]: { id, name: 'Ann', is_host: true } } })
  const list = async (caller: string) =>
    JSON.stringify((await app.ask('GET', path, { token: caller })).json).includes(groupId)
  t.ok(await list(token))
  t.notOk(await list(other), 'a group that is not public is listed for its members only')
  t.match((await app.ask('GET', `${path}/${groupId}`, { token })).json, { group: { members: { [id]: {} } } })
  const { json } = await app.ask('GET', `${path}/${groupId}`, { token: other })
  const stranger = (json as { group: Record<string, unknown> }).group
  t.match(stranger, { id: groupId, name: 'HTTP', has_password: true, members: {}, queue: [] })
  t.strictSame(stranger['members'], {}, 'strangers do not see who is in it')
  for (const key of ['host_id', 'timeline', 'current_media_id', 'playback_position'])
    t.notOk(key in stranger, `nor what is watched: ${key}`)

  const join = (fields?: object) => app.ask('POST', `${path}/${groupId}/join`, { token: other, body: fields })
  t.match(await join(), { status: 403, json: { code: 'wrong_group_password' } })
  const joined = await join({ password: 'hello', memberId: id })
  t.match(joined, { status: 200, json: { success: true, group: { member_count: 2 } } })
  const socket = await dial(`${app.socketUrl}/?room=${groupId}`, { headers: { authorization: `Bearer ${other}` } })
  const state = await socket.next('syncplay_group_state')
  t.equal(state['your_id'], (joined.json as { your_id: string }).your_id, 'the socket has the seat of the request')
  const leave = () => app.ask('POST', `${path}/${groupId}/leave`, { token: other, body: { memberId: id } })
  t.match(await leave(), { status: 200, json: { success: true } })
  t.match(await leave(), { status: 403, json: { code: 'not_a_member' } }, 'the id of another member is not read')
  t.match(members(groupId), [{ id }])
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
    t.match(await app.ask('GET', `${path}/${unknown}`, { token }), { status: 404, json: { code: 'group_not_found' } })
  t.match(await app.ask('POST', path, { token, body: { name: 'x'.repeat(101) } }), { status: 400 })
  t.equal((await app.ask('GET', path)).status, 401)
  socket.socket.close()
})

void t.test('a disabled account loses its connection and its seat', async (t) => {
  const [host, guest] = [await app.enter(app.admin.account.id), await app.enter()]
  const { groupId } = await newGroup(host)
  await joinGroup(guest, groupId)
  await disableAccount(services, { usernameOrEmail: 'user' })
  clock.advance(30)
  await server.sweep()
  t.match(await guest.closed, { code: 4001 })
  t.match(await host.next('syncplay_info'), { code: 'joined' })
  t.match(await host.next('syncplay_info'), { code: 'lost' })
  host.socket.close()
})
