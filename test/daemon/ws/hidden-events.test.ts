import t from 'tap'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import type { Events } from '../../../src/core/platform/events/index.ts'
import { plant } from '../../support/access-canaries.ts'
import { unknownValue } from '../../support/access-matrix/replies.ts'
import { dial, type Client } from '../../support/sockets.ts'
import { groupOf, settled, startGroups } from './watch-groups/watch-group-setup.ts'

/** What is hidden from an account reaches none of its sockets: by no event, by no other player or group, and by no error. */

const app = await startGroups(t)
const { services, admin } = app
const { db } = services
const common = { ownerId: admin.account.id, day: 1 }
const open = await plant(db, 'movie', { ...common, word: 'zqopen', rating: 'G' })
const hidden = await plant(db, 'movie', { ...common, word: 'zqhidden', rating: 'NC-17' })
const input = { username: 'kim', email: 'kim@example.test', password: 'correct horse', isAdmin: false }
const kim = await createAccount(services, {
  ...input,
  access: { ...EVERYTHING, libraryIds: [open.libraryId], maxAge: 12 },
})
const child = await createProfile(services, {
  accountId: admin.account.id,
  fields: { name: 'Child', isKids: true, limits: { libraryIds: [open.libraryId] } },
})

async function enter(accountId: string, profileId?: string): Promise<{ client: Client; heard: () => string }> {
  const token = await app.signIn(accountId, profileId)
  const client = await dial(app.socketUrl, { headers: { authorization: `Bearer ${token}` } })
  const texts: string[] = []
  client.socket.on('message', (bytes: Buffer) => texts.push(bytes.toString()))
  return { client, heard: () => texts.splice(0).join('\n') }
}

/** What each event says about the hidden item; a new event of the server is added here. */
const HIDDEN_EVENTS: { [Name in keyof Events]: Events[Name] } = {
  'account.changed': { accountId: hidden.itemId },
  'download.requested': { downloadId: hidden.itemId },
  'library.updated': {
    libraryId: hidden.libraryId,
    scanJobId: hidden.jobId,
    jobType: 'scan',
    outcome: 'completed',
    itemsAdded: 71,
    itemsRemoved: 72,
  },
  'plugin.event': { name: 'item.added', payload: { id: hidden.itemId, title: 'zqhidden' } },
  'request.answered': {
    requestId: hidden.jobId,
    userId: kim.id,
    title: 'zqhidden',
    status: 'available',
    rejectionReason: null,
  },
}

const isAbout = (text: string): boolean =>
  ['zqhidden', ...Object.values(hidden)].some((word) => word !== '' && text.includes(word))

void t.test('no event about a hidden item reaches a viewer without access (AZ-11)', async (t) => {
  const blind = [await enter(kim.id), await enter(admin.account.id, child.id)]
  const seeing = await enter(admin.account.id)
  for (const [name, event] of Object.entries(HIDDEN_EVENTS))
    services.events.publish(name as 'library.updated', event as never)
  // They are sent in order: this one is the last.
  const last = { ...HIDDEN_EVENTS['library.updated'], libraryId: open.libraryId, scanJobId: open.jobId }
  services.events.publish('library.updated', last)
  for (const { client, heard } of blind) {
    await client.next('library_updated')
    await settled(client)
    const text = heard()
    t.notOk(isAbout(text), text)
    t.notMatch(text, /"items_(?:added|removed)"/, 'nor how many items there are')
  }
  t.match(
    (await seeing.client.next('library_updated')).data,
    { library_id: hidden.libraryId },
    'who sees it hears of it',
  )
  for (const { client } of [...blind, seeing]) client.socket.close()
})

void t.test('what other profiles and groups play reaches nobody who may not see it', async (t) => {
  const [parent, other] = [await enter(admin.account.id), await enter(admin.account.id, child.id)]
  const stranger = await enter(kim.id)
  parent.client.send({ type: 'session_start', data: { device_name: 'zqhidden player' } })
  const { data } = await parent.client.next('session_start')
  const session_id = String(data?.['session_id'])
  for (const { client } of [other, stranger]) {
    client.send({ type: 'session_join', data: { session_id } })
    await client.next('error')
    client.send({ type: 'subscribe_dashboard', data: {} })
    client.send({ type: 'syncplay_group_list' })
    await client.next('syncplay_group_list')
  }
  parent.client.send({ type: 'playback_start', data: { media_item_id: hidden.itemId, position: 1 } })
  parent.client.send({
    type: 'syncplay_group_create',
    group_name: 'zqhidden',
    media_id: hidden.itemId,
    is_public: true,
  })
  const group = groupOf(await parent.client.next('syncplay_group_state'))
  t.equal(group['current_media_id'], hidden.itemId, 'the group plays it')
  for (const text of ['syncplay_playback_play', 'syncplay_playback_pause']) parent.client.send({ type: text })
  parent.client.send({ type: 'syncplay_chat', message: 'zqhidden' })
  await parent.client.next('syncplay_chat')
  for (const { client, heard } of [other, stranger]) {
    client.send({ type: 'syncplay_group_list' })
    await client.next('syncplay_group_list')
    await settled(client)
    const text = heard()
    t.notOk(isAbout(text), text)
  }
  for (const { client } of [parent, other, stranger]) client.socket.close()
})

/** Messages with ids, and the id that is asked for. */
const MESSAGES: Readonly<Record<string, [value: string, message: (value: string) => object]>> = {
  'a new group': [hidden.itemId, (media_id) => ({ type: 'syncplay_group_create', media_id })],
  'media of a group': [hidden.itemId, (media_id) => ({ type: 'syncplay_playback_media', media_id })],
  'a queue': [hidden.itemId, (media_id) => ({ type: 'syncplay_playback_queue', queue: [{ media_id }] })],
}

void t.test('an error about a hidden id is that about an unknown one, byte by byte', async (t) => {
  const { client, heard } = await enter(kim.id)
  for (const [name, [value, message]] of Object.entries(MESSAGES)) {
    const texts = []
    for (const one of [value, unknownValue(value)]) {
      if (name !== 'a new group') {
        client.send({ type: 'syncplay_group_create', media_id: open.itemId })
        await client.next('syncplay_group_state')
        await settled(client)
        heard()
      }
      client.send(message(one))
      const { timestamp, ...error } = await client.next('syncplay_error')
      t.type(timestamp, 'number')
      texts.push(JSON.stringify(error).replaceAll(one, 'ID'))
      if (name !== 'a new group') client.send({ type: 'syncplay_group_leave' })
      await settled(client)
      app.clock.advance(1)
    }
    t.equal(texts[0], texts[1], name)
    t.match(texts[0], /media_item_not_found/, name)
  }
  // A group that plays it is an unknown one.
  const host = await enter(admin.account.id)
  host.client.send({ type: 'syncplay_group_create', media_id: hidden.itemId })
  const groupId = String(groupOf(await host.client.next('syncplay_group_state'))['group_id'])
  const texts = []
  for (const group_id of [groupId, unknownValue(groupId)]) {
    client.send({ type: 'syncplay_group_join', group_id })
    const { timestamp: _, ...error } = await client.next('syncplay_error')
    texts.push(JSON.stringify(error).replaceAll(group_id, 'ID'))
  }
  t.equal(texts[0], texts[1])
  for (const one of [client, host.client]) one.socket.close()
})
