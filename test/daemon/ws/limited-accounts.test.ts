import { sql } from 'slonik'
import t from 'tap'
import { createAccount, setAccess } from '../../../src/core/accounts/index.ts'
import { EVERYTHING, type AccessRule } from '../../../src/core/access/index.ts'
import { plant } from '../../support/access-canaries.ts'
import { dial } from '../../support/sockets.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { groupOf, settled, startGroups } from './watch-groups/watch-group-setup.ts'

const app = await startGroups(t)
const { services, admin } = app
const { db } = services
const open = await plant(db, 'movie', { word: 'open', rating: 'G', ownerId: admin.account.id, day: 1 })
const hidden = await plant(db, 'movie', { word: 'hidden', rating: 'R', ownerId: admin.account.id, day: 2 })
const LIMITS: AccessRule = { ...EVERYTHING, libraryIds: [open.libraryId] }
const input = { username: 'kim', email: 'kim@example.test', password: 'correct horse', isAdmin: false, access: LIMITS }
const kim = await createAccount(services, input)

const membersOf = (groupId: string) => [...(services.watchGroups.find(groupId)?.members.values() ?? [])]

void t.test('a limited account hears of the libraries that it sees, and of no arrived title', async (t) => {
  const client = await app.enter(kim.id)
  const event = { scanJobId: 'x', jobType: 'scan', outcome: 'completed', itemsAdded: 1, itemsRemoved: 0 } as const
  services.events.publish('library.updated', { ...event, libraryId: hidden.libraryId })
  services.events.publish('library.updated', { ...event, libraryId: open.libraryId })
  t.match(await client.next('library_updated'), { data: { library_id: open.libraryId } }, 'the first is not sent')
  const answer = { requestId: 'x', userId: kim.id, title: 'Hidden', rejectionReason: null }
  services.events.publish('request.answered', { ...answer, status: 'available' })
  services.events.publish('request.answered', { ...answer, status: 'rejected' })
  t.match(await client.next('notification'), { data: { status: 'rejected' } }, 'the first is not sent')

  await setAccess(services, { accountId: kim.id, changes: { libraryIds: [] } })
  services.events.publish('library.updated', { ...event, libraryId: open.libraryId })
  await setAccess(services, { accountId: kim.id, changes: { libraryIds: [open.libraryId, hidden.libraryId] } })
  services.events.publish('library.updated', { ...event, libraryId: hidden.libraryId })
  await client.next('library_updated')
  await settled(client)
  await setAccess(services, { accountId: kim.id, changes: LIMITS })
  client.socket.close()
})

void t.test('a changed limit or right is told to the account, and to nobody else', async (t) => {
  const [client, other] = [await app.enter(kim.id), await app.enter(admin.account.id)]
  const heard: string[] = []
  for (const one of [client, other]) {
    one.socket.on('message', (bytes: Buffer) => heard.push((JSON.parse(bytes.toString()) as { type: string }).type))
  }
  for (const changes of [LIMITS, { libraryIds: [] }, LIMITS]) {
    await setAccess(services, { accountId: kim.id, changes })
    if (changes !== LIMITS || heard.includes('access_changed')) await client.next('access_changed')
  }
  await settled(client)
  await settled(other)
  t.strictSame(
    heard.filter((type) => type === 'access_changed'),
    ['access_changed', 'access_changed'],
    'the first call has changed nothing, and the other account is not concerned',
  )
  for (const one of [client, other]) one.socket.close()
})

void t.test(
  'a watch group with a hidden item is unknown to a limited account, and shows nothing that a member may not see',
  async (t) => {
    const host = await app.enter(admin.account.id)
    host.send({ type: 'syncplay_group_create', name: 'evening', media_id: hidden.itemId })
    const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
    const client = await app.enter(kim.id)
    client.send({ type: 'syncplay_group_list' })
    t.match(await client.next('syncplay_group_list'), { groups: [] })
    client.send({ type: 'syncplay_group_join', group_id: groupId })
    t.match(await client.next('syncplay_error'), { error_code: 'group_not_found' })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/join'],
    ] as const) {
      const answer = await app.ask(method, `/api/v1/syncplay/groups/${groupId}${path}`, {
        token: client.token,
        body: method === 'POST' ? {} : undefined,
      })
      t.match(answer, { status: 404, json: { code: 'group_not_found' } })
    }
    t.match((await app.ask('GET', '/api/v1/syncplay/groups', { token: client.token })).json, { groups: [] })
    const room = await dial(`${app.socketUrl}/?room=${groupId}`, {
      headers: { authorization: `Bearer ${client.token}` },
    })
    await settled(room)
    t.equal(membersOf(groupId).length, 1, 'nor by the address of the socket')
    room.socket.close()

    host.send({ type: 'syncplay_playback_media', media_id: open.itemId })
    await settled(host)
    client.send({ type: 'syncplay_group_join', group_id: groupId })
    t.match(groupOf(await client.next('syncplay_group_state')), { current_media_id: open.itemId })
    for (const message of [
      { type: 'syncplay_playback_media', media_id: hidden.itemId },
      { type: 'syncplay_playback_queue', queue: [{ media_id: open.itemId }, { media_id: hidden.itemId }] },
    ]) {
      host.send(message)
      t.match(await host.next('syncplay_error'), { error_code: 'hidden_from_member' }, message.type)
    }
    host.send({ type: 'syncplay_playback_queue', queue: [{ media_id: open.itemId, media_info: { title: 'Open' } }] })
    t.match(await client.next('syncplay_playback_queue'), { queue: [{ media_id: open.itemId }] })

    await setAccess(services, { accountId: kim.id, changes: { libraryIds: [] } })
    t.match(await client.next('syncplay_info'), { code: 'left' }, 'who may not see it any more leaves')
    await waitUntil('the seat is gone', () => membersOf(groupId).length === 1)
    await setAccess(services, { accountId: kim.id, changes: LIMITS })
    client.send({ type: 'syncplay_group_create', name: 'mine', media_id: hidden.itemId })
    t.match(await client.next('syncplay_error'), { error_code: 'media_item_not_found' })
    for (const one of [host, client]) one.socket.close()
  },
)

void t.test('a group that cannot be checked does not save the members of others from it', async (t) => {
  const [host, one, other] = [await app.enter(admin.account.id), await app.enter(kim.id), await app.enter(kim.id)]
  const groupIds: string[] = []
  for (const client of [one, other]) {
    host.send({ type: 'syncplay_group_create', media_id: open.itemId })
    const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
    client.send({ type: 'syncplay_group_join', group_id: groupId })
    await client.next('syncplay_group_state')
    groupIds.push(groupId)
  }
  const [, second = ''] = groupIds
  const { viewers } = services
  const whoSeesItems = viewers.whoSeesItems.bind(viewers)
  t.teardown(() => Object.assign(viewers, { whoSeesItems }))
  // The host has moved on: kim is alone in the first group.
  Object.assign(viewers, {
    async whoSeesItems(...values: Parameters<typeof whoSeesItems>) {
      if (values[0].length === 1) throw new Error('this group cannot be checked')
      return whoSeesItems(...values)
    },
  })
  await setAccess(services, { accountId: kim.id, changes: { libraryIds: [] } })
  await waitUntil('the seat is gone', () => membersOf(second).every(({ profileId }) => profileId !== kim.id))
  await setAccess(services, { accountId: kim.id, changes: LIMITS })
  for (const client of [host, one, other]) client.socket.close()
})

void t.test('a limit that another process has changed ends a seat with the next check', async (t) => {
  const host = await app.enter(admin.account.id)
  host.send({ type: 'syncplay_group_create', name: 'night', media_id: open.itemId })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  const client = await app.enter(kim.id)
  client.send({ type: 'syncplay_group_join', group_id: groupId })
  await client.next('syncplay_group_state')
  const check = async () => {
    // A check that has begun before is waited for; the second one begins afterwards.
    await app.server.check()
    await app.server.check()
  }
  await check()
  const isMember = () => membersOf(groupId).some(({ profileId }) => profileId === kim.id)
  t.ok(isMember())
  const silent = { ...services, events: { publish: () => undefined } as never }
  await setAccess(silent, { accountId: kim.id, changes: { libraryIds: [] } })
  await check()
  t.notOk(isMember())
  await setAccess(services, { accountId: kim.id, changes: LIMITS })
  for (const socket of [host, client]) socket.socket.close()
})

void t.test('the next item of a group does not tell that a hidden one exists', async (t) => {
  const series = await plant(db, 'series', { word: 'open', rating: 'G', ownerId: admin.account.id, day: 3 })
  const episode = async (number: number, rating: string) => {
    const path = `/srv/open/${number}-${rating}.mkv`
    return String(
      await db.oneFirst(sql.unsafe`
        insert into media_items (library_id, parent_id, type, name, sort_title, season_number, episode_number, path, path_hash, folder_hash,
          size_bytes, modified_ns, duration_seconds, metadata, added_at, created_at, updated_at)
        values (${series.libraryId}, ${series.childId}, 'episode', ${path}, ${path}, 1, ${number}, ${path}, sha256(${path}::bytea),
          sha256('folder'::bytea), 1, 1, 100, ${sql.jsonb({ rating })}, now(), now(), now()) returning id`),
    )
  }
  const [first] = [await episode(1, 'G'), await episode(2, 'NC-17')]
  const host = await app.enter(admin.account.id)
  host.send({ type: 'syncplay_group_create', name: 'series', media_id: first })
  const groupId = String(groupOf(await host.next('syncplay_group_state'))['group_id'])
  await setAccess(services, { accountId: kim.id, changes: { libraryIds: null, maxAge: 12 } })
  const client = await app.enter(kim.id)
  client.send({ type: 'syncplay_group_join', group_id: groupId })
  await client.next('syncplay_group_state')
  host.send({ type: 'syncplay_playback_next' })
  t.match(await host.next('syncplay_error'), { error_code: 'no_next_item' })
  await setAccess(services, { accountId: kim.id, changes: LIMITS })
  for (const socket of [host, client]) socket.socket.close()
})
