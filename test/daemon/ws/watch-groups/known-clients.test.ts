import t from 'tap'
import { settled, groupOf, startGroups } from './watch-group-setup.ts'

/** The message sequences of existing clients: flat, with ids in every message, and without readiness reports. */

const app = await startGroups(t)
const now = app.clock.now().getTime()

void t.test('a group is created, joined, played, paused, sought and left', async (t) => {
  const [host, guest] = [await app.enter(app.admin.account.id), await app.enter()]
  host.send({ type: 'syncplay_group_create', group_name: 'Film night', member_id: 'm1', member_name: 'Ann' })
  const created = await host.next('syncplay_group_state')
  const group = groupOf(created)
  const [groupId, hostId] = [group['group_id'], created['your_id']]
  t.match(created, { protocol_version: 1, timestamp: now })
  t.match(group, {
    group_name: 'Film night',
    member_count: 1,
    members: [{ id: hostId, name: 'Ann', is_host: true, joined_at: Math.floor(now / 1000) }],
    host_id: hostId,
    current_media_id: null,
    current_media_duration: null,
    playback_position: 0,
    playback_state: 'stopped',
    queue: [],
    created_at: Math.floor(now / 1000),
    last_activity_at: Math.floor(now / 1000),
  })
  t.not(hostId, 'm1', 'the id of a member is given by the server')

  guest.send({ type: 'syncplay_group_list' })
  t.match(await guest.next('syncplay_group_list'), {
    groups: [{ id: groupId, name: 'Film night', member_count: 1, has_password: false, is_playing: false }],
  })
  guest.send({ type: 'syncplay_group_join', group_id: groupId, member_id: hostId, member_name: 'Bob' })
  const joined = await guest.next('syncplay_group_state')
  const guestId = joined['your_id']
  t.match(groupOf(joined), { member_count: 2, host_id: hostId })
  t.match(await host.next('syncplay_info'), { member_id: guestId, member_name: 'Bob (user)' }, 'a join is an info')

  host.send({ type: 'syncplay_playback_play', group_id: groupId, member_id: hostId, position: 5000, server_time: now })
  const play = { group_id: groupId, member_id: hostId, position: 5000, server_time: now + 300, protocol_version: 1 }
  for (const client of [host, guest]) t.match(await client.next('syncplay_playback_play'), play)
  app.clock.advance(2.3)
  host.send({ type: 'syncplay_playback_pause', group_id: groupId, member_id: hostId, position: 7010 })
  for (const client of [host, guest])
    t.match(await client.next('syncplay_playback_pause'), {
      member_id: hostId,
      position: 7010,
      server_time: now + 2300,
    })
  host.send({ type: 'syncplay_playback_seek', group_id: groupId, from_position: 7010, to_position: 60_000 })
  for (const client of [host, guest])
    t.match(await client.next('syncplay_playback_seek'), { from_position: 7010, to_position: 60_000 })

  guest.send({ type: 'syncplay_playback_pause', group_id: groupId, member_id: hostId, position: 1 })
  t.match(await guest.next('syncplay_error'), { error_code: 'NOT_HOST', code: 'NOT_HOST' }, 'the body names nobody')

  guest.send({ type: 'syncplay_playback_sync', group_id: groupId, member_id: guestId, position: 1, is_playing: true })
  t.match(await guest.next('syncplay_playback_sync'), { position: 60_000, is_playing: false, server_time: now + 2300 })

  const queue = [{ media_id: 'a', media_info: { title: 'A film' } }]
  host.send({ type: 'syncplay_playback_queue', group_id: groupId, queue })
  t.match(await guest.next('syncplay_playback_queue'), {
    member_id: hostId,
    queue: [{ ...queue[0], added_by: hostId }],
  })

  guest.send({ type: 'syncplay_chat', group_id: groupId, member_id: hostId, message: '<b>hello</b>' })
  t.match(await host.next('syncplay_chat'), { member_id: guestId, member_name: 'Bob (user)', message: '<b>hello</b>' })
  guest.send({ type: 'syncplay_typing', group_id: groupId, member_id: guestId, is_typing: true })
  t.match(await host.next('syncplay_typing'), { member_id: guestId, is_typing: true })

  host.send({ type: 'syncplay_host_transfer', group_id: groupId, current_host_id: hostId, new_host_id: guestId })
  for (const client of [host, guest])
    t.match(await client.next('syncplay_host_elect'), { elected_id: guestId, elected_by: hostId })
  guest.send({ type: 'syncplay_group_leave', group_id: groupId, member_id: hostId })
  t.match(await host.next('syncplay_host_elect'), { elected_id: hostId, elected_by: 'server' })
  t.match(await guest.next('syncplay_info'), { code: 'left', affected_member_id: guestId })
  guest.send({ type: 'syncplay_chat', group_id: groupId, message: 'still here?' })
  t.match(await guest.next('syncplay_error'), { error_code: 'not_a_member' })
  for (const client of [host, guest]) client.socket.close()
})

void t.test('a follower that says nothing gets the position of the group', async (t) => {
  const [host, guest] = [await app.enter(app.admin.account.id), await app.enter()]
  host.send({ type: 'syncplay_group_create', group_name: 'Silence' })
  const created = await host.next('syncplay_group_state')
  const groupId = groupOf(created)['group_id']
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  await guest.next('syncplay_group_state')
  host.send({ type: 'syncplay_playback_play', position: 1000 })
  await guest.next('syncplay_playback_play')
  app.clock.advance(10.3)
  await app.server.check()
  const sync = await guest.next('syncplay_playback_sync')
  t.match(sync, { group_id: groupId, member_id: created['your_id'], position: 11_000, is_playing: true })
  app.clock.advance(4)
  await app.server.check()
  host.send({ type: 'syncplay_playback_sync', position: 15_000, is_playing: true })
  t.match(await guest.next('syncplay_playback_sync'), { position: 15_000 }, 'also when the host sends its own')
  app.clock.advance(5)
  await app.server.check()
  t.match(await guest.next('syncplay_playback_sync'), { position: 20_000 })
  guest.send({ type: 'syncplay_playback_sync', position: 1, is_playing: true })
  await guest.next('syncplay_playback_sync')
  host.waiting.length = 0
  host.send({ type: 'syncplay_ready', ready: true })
  await settled(host)
  app.clock.advance(5)
  await app.server.check()
  await guest.next('syncplay_playback_sync')
  await settled(host)
  t.notOk(
    host.waiting.some(({ type }) => type === 'syncplay_playback_sync'),
    'who follows the timeline does not need it',
  )
  for (const client of [host, guest]) client.socket.close()
})

void t.test('a client that knows no waits stops after a seek until the group plays', async (t) => {
  const [host, guest] = [await app.enter(app.admin.account.id), await app.enter()]
  host.send({ type: 'syncplay_group_create', group_name: 'Waits', reports_readiness: true })
  const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  await guest.next('syncplay_group_state')
  host.send({ type: 'syncplay_playback_play', position: 1000 })
  host.send({ type: 'syncplay_ready', ready: true })
  await guest.next('syncplay_playback_play')
  app.clock.advance(1)
  host.send({ type: 'syncplay_playback_seek', to_position: 60_000 })
  t.match(await guest.next('syncplay_playback_seek'), { to_position: 60_000 })
  t.match(await guest.next('syncplay_playback_pause'), { position: 60_000 })
  host.send({ type: 'syncplay_ready', ready: true })
  t.match(await guest.next('syncplay_playback_play'), { position: 60_000 })
  for (const client of [host, guest]) client.socket.close()
})

void t.test('only a join is an info with the id and name of a member', async (t) => {
  const [host, guest] = [await app.enter(app.admin.account.id), await app.enter()]
  host.send({ type: 'syncplay_group_create', group_name: 'Comings and goings' })
  const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']
  const join = { type: 'syncplay_group_join', group_id: groupId, member_name: 'Bob' }
  guest.send(join)
  const { your_id: guestId, resume_token: token } = await guest.next('syncplay_group_state')
  guest.socket.close()
  t.match(await host.next('syncplay_info'), { code: 'joined', member_id: guestId, member_name: 'Bob (user)' })
  const other = ['member_id', 'member_name']
  const isJoin = (info: object): boolean => other.some((key) => key in info)
  const lost = await host.next('syncplay_info')
  t.match(lost, { code: 'lost', affected_member_id: guestId, affected_member_name: 'Bob (user)' })
  const again = await app.enter()
  again.send({ ...join, resume_token: token })
  await again.next('syncplay_group_state')
  const resumed = await host.next('syncplay_info')
  t.match(resumed, { code: 'resumed', affected_member_id: guestId })
  again.send({ type: 'syncplay_group_leave' })
  const left = await host.next('syncplay_info')
  await again.next('syncplay_info')
  const own = await again.next('syncplay_info')
  t.match(left, { code: 'left', affected_member_id: guestId })
  t.match(own, { code: 'left', affected_member_id: guestId })
  for (const info of [lost, resumed, left, own]) t.notOk(isJoin(info), `${String(info['code'])} is no join`)
  for (const client of [host, again]) client.socket.close()
})

void t.test('all addresses of clients open the same connection; a room in it is entered', async (t) => {
  const host = await app.enter()
  host.send({ type: 'syncplay_group_create', name: 'Rooms' })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  const guest = await app.enter(app.admin.account.id, groupId)
  t.match(await guest.next('syncplay_group_state'), { group: { group_id: groupId, member_count: 2 } })
  const stranger = await app.enter(app.admin.account.id, 'no-such-room')
  await settled(stranger)
  t.strictSame(stranger.waiting, [], 'an unknown room is only a name')
  for (const client of [host, guest, stranger]) client.socket.close()
})

void t.test('a password is needed, as a text or as its SHA-256', async (t) => {
  const hash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
  const [host, guest, other] = [await app.enter(), await app.enter(), await app.enter()]
  host.send({ type: 'syncplay_group_create', group_name: 'Secret', password_hash: hash })
  const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']
  for (const wrong of [{}, { password: 'hallo' }, { password_hash: hash.replace('2', '3') }]) {
    guest.send({ type: 'syncplay_group_join', group_id: groupId, ...wrong })
    t.match(await guest.next('syncplay_error'), { error_code: 'wrong_group_password' })
  }
  guest.send({ type: 'syncplay_group_join', group_id: groupId, password: 'hello' })
  t.match(await guest.next('syncplay_group_state'), { group: { has_password: true, member_count: 2 } })
  other.send({ type: 'syncplay_group_join', group_id: groupId, password_hash: hash.toUpperCase() })
  t.match(await other.next('syncplay_group_state'), { group: { member_count: 3 } })
  const attacker = await app.enter(app.admin.account.id)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    attacker.send({ type: 'syncplay_group_join', group_id: groupId, password: `guess ${attempt}` })
    t.match(await attacker.next('syncplay_error'), { error_code: 'wrong_group_password' })
  }
  attacker.send({ type: 'syncplay_group_join', group_id: groupId, password: 'hello' })
  t.match(await attacker.next('syncplay_error'), { error_code: 'rate_limited' }, 'the eleventh attempt of a minute')
  for (const client of [host, guest, other, attacker]) client.socket.close()
})
