import t from 'tap'
import { groupOf, settled, startGroups } from './watch-group-setup.ts'

const app = await startGroups(t)
const [host, stranger] = [await app.enter(), await app.enter(app.admin.account.id)]
host.send({ type: 'syncplay_group_create', group_name: 'A' })
const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']

const WRONG: [claim: string, message: object | string, code: string][] = [
  ['an unknown group', { type: 'syncplay_group_join', group_id: 'x' }, 'group_not_found'],
  ['no group', { type: 'syncplay_group_join' }, 'invalid_message'],
  ['a group that is no text', { type: 'syncplay_group_join', group_id: {} }, 'invalid_message'],
  ['another group', { type: 'syncplay_chat', group_id: 'x', message: 'hi' }, 'not_a_member'],
  ['a name of 101 characters', { type: 'syncplay_group_create', group_name: 'x'.repeat(101) }, 'invalid_message'],
  ['an empty name', { type: 'syncplay_group_create', group_name: '' }, 'invalid_message'],
  ['a long member name', { type: 'syncplay_group_create', member_name: 'x'.repeat(65) }, 'invalid_message'],
  ['a hash that is none', { type: 'syncplay_group_create', password_hash: 'x' }, 'invalid_message'],
  ['media that nobody knows', { type: 'syncplay_playback_media', media_id: 'x' }, 'media_item_not_found'],
  ['a group for media that nobody knows', { type: 'syncplay_group_create', media_id: 'x' }, 'media_item_not_found'],
  ['a negative position', { type: 'syncplay_playback_seek', to_position: -1 }, 'invalid_message'],
  ['a position beyond films', { type: 'syncplay_playback_seek', to_position: 1e12 }, 'invalid_message'],
  ['a position beyond numbers', '{"type":"syncplay_playback_seek","to_position":1e400}', 'invalid_message'],
  ['no position', { type: 'syncplay_playback_seek', to_position: null }, 'invalid_message'],
  ['a text as position', { type: 'syncplay_playback_play', position: '1' }, 'invalid_message'],
  ['a speed of 0', { type: 'syncplay_playback_rate', rate: 0 }, 'invalid_message'],
  ['a speed of 5', { type: 'syncplay_playback_rate', rate: 5 }, 'invalid_message'],
  ['a negative seq', { type: 'syncplay_playback_play', seq: -1 }, 'invalid_message'],
  ['a long chat message', { type: 'syncplay_chat', message: 'x'.repeat(1001) }, 'invalid_message'],
  [
    'a long queue',
    { type: 'syncplay_playback_queue', queue: Array.from({ length: 101 }, () => ({ media_id: 'x' })) },
    'invalid_message',
  ],
  ['a queue of texts', { type: 'syncplay_playback_queue', queue: ['x'] }, 'invalid_message'],
  ['a host who is nobody', { type: 'syncplay_host_transfer', new_host_id: '__proto__' }, 'member_not_found'],
  ['a time that is none', '{"type":"syncplay_time_ping","client_time":"1"}', 'invalid_message'],
  ['a time beyond numbers', '{"type":"syncplay_time_ping","client_time":1e400}', 'invalid_message'],
]

void t.test('a wrong message is answered with its error, and changes nothing (WS-05)', async (t) => {
  const before = app.services.watchGroups.find(String(groupId))?.timeline
  for (const [claim, message, code] of WRONG) {
    host.send(message)
    t.match(await host.next('syncplay_error'), { error_code: code, code }, claim)
    app.clock.advance(1)
  }
  t.strictSame(app.services.watchGroups.find(String(groupId))?.timeline, before)
  t.match(app.services.watchGroups.find(String(groupId)), { chat: [], queue: [] })
  t.equal(app.services.watchGroups.find(String(groupId))?.members.size, 1)
})

void t.test('a client outside of a group can do nothing to it, and hears nothing from it (WS-05)', async (t) => {
  const commands = {
    group_leave: {},
    playback_play: {},
    playback_pause: {},
    playback_seek: { to_position: 1 },
    playback_rate: { rate: 2 },
    playback_media: { media_id: 'x' },
    playback_queue: { queue: [] },
    playback_sync: { position: 1 },
    ready: { ready: true },
    report: { position: 1 },
    ignore_wait: { on: true },
    chat: { message: 'hi' },
    typing: { is_typing: true },
    host_transfer: { new_host_id: 'x' },
  }
  const before = app.services.watchGroups.find(String(groupId))
  for (const [name, fields] of Object.entries(commands)) {
    stranger.send({ type: `syncplay_${name}`, group_id: groupId, ...fields })
    t.match(await stranger.next('syncplay_error'), { error_code: 'not_a_member' }, name)
    app.clock.advance(1)
  }
  t.equal(app.services.watchGroups.find(String(groupId)), before)
  host.send({ type: 'syncplay_chat', message: 'a secret' })
  await host.next('syncplay_chat')
  await settled(stranger)
  t.strictSame(stranger.waiting, [])
})

void t.test('a value with thousands of levels is refused before anybody gets it', async (t) => {
  const deep = '['.repeat(6000) + ']'.repeat(6000)
  host.socket.send(`{"type":"syncplay_playback_queue","queue":[{"media_id":"x","media_info":${deep}}]}`)
  t.match(await host.next('error'), { data: { code: 'invalid_message' } })
  await settled(host)
  t.strictSame(app.services.watchGroups.find(String(groupId))?.queue, [])
  const few = JSON.parse('['.repeat(29) + ']'.repeat(29)) as unknown
  host.send({ type: 'syncplay_playback_queue', queue: [{ media_id: 'x', media_info: few }] })
  t.match(await host.next('syncplay_playback_queue'), { queue: [{ media_info: few }] })
})

void t.test('markup and control characters are kept as text', async (t) => {
  const text = '<img src=x onerror=alert(1)> \u0000 \u2028 "'
  host.send({ type: 'syncplay_chat', message: text })
  t.match(await host.next('syncplay_chat'), { message: text })
  host.send({
    type: 'syncplay_playback_queue',
    queue: [{ media_id: 'x', media_info: { __proto__: { a: 1 }, b: text } }],
  })
  t.match(await host.next('syncplay_playback_queue'), { queue: [{ media_info: { b: text } }] })
})

void t.test('a group has at most 64 members, and an account at most 8 groups', async (t) => {
  const guests = await Promise.all(Array.from({ length: 63 }, () => app.enter(app.admin.account.id)))
  for (const guest of guests) {
    guest.send({ type: 'syncplay_group_join', group_id: groupId })
    await guest.next('syncplay_group_state')
  }
  stranger.send({ type: 'syncplay_group_join', group_id: groupId })
  t.match(await stranger.next('syncplay_error'), { error_code: 'group_full' })
  for (const guest of guests) guest.socket.close()
  const create = () => app.ask('POST', '/api/v1/syncplay/groups', { token: host.token, body: { name: 'x' } })
  for (let count = 1; count < 8; count += 1) t.equal((await create()).status, 201)
  t.match(await create(), { status: 429, json: { code: 'too_many_groups' } })
})

void t.test('a member that does not read is dropped, and the others get every message (WS-06)', async (t) => {
  const [talker, reader, sleeper] = [
    await app.enter(app.admin.account.id),
    await app.enter(app.admin.account.id),
    await app.enter(app.admin.account.id),
  ]
  talker.send({ type: 'syncplay_group_create', everyone_controls: true })
  const id = groupOf(await talker.next('syncplay_group_state'))['group_id']
  for (const client of [reader, sleeper]) {
    client.send({ type: 'syncplay_group_join', group_id: id })
    await client.next('syncplay_group_state')
  }
  sleeper.socket.pause()
  const queue = Array.from({ length: 14 }, (_, index) => ({ media_id: String(index), media_info: 'x'.repeat(1000) }))
  const find = () => [...(app.services.watchGroups.find(String(id))?.members.values() ?? [])]
  let sent = 0
  while (find().every(({ isConnected }) => isConnected)) {
    app.clock.advance(1)
    talker.send({ type: 'syncplay_playback_queue', queue })
    await reader.next('syncplay_playback_queue')
    sent += 1
    if (sent === 5000) break
  }
  t.ok(sent < 5000, `it was dropped after ${sent} messages`)
  t.equal(find().filter(({ isConnected }) => isConnected).length, 2)
  for (const client of [talker, reader]) client.socket.close()
})
