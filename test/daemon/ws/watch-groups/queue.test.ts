import t from 'tap'
import { makeItems } from '../../../support/catalogue-items.ts'
import { episodes } from '../../../support/film-catalogue.ts'
import { groupOf, startGroups } from './watch-group-setup.ts'

const app = await startGroups(t)
const folder = t.testdir()
const [first = '', second = ''] = await makeItems(app.services.db, folder, episodes(['1:1', '1:2']))
const [film = '', other = ''] = await makeItems(app.services.db, folder, [{}, {}])

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const next = { type: 'syncplay_playback_next' }

/** A host and a guest who watch something. */
async function watch(mediaId?: string) {
  const [host, guest] = [await app.enter(), await app.enter(app.admin.account.id)]
  host.send({ type: 'syncplay_group_create', media_id: mediaId })
  const groupId = groupOf(await host.next('syncplay_group_state'))['group_id']
  guest.send({ type: 'syncplay_group_join', group_id: groupId })
  await guest.next('syncplay_group_state')
  t.teardown(() => [host, guest].forEach(({ socket }) => socket.close()))
  return { host, guest, find: () => app.services.watchGroups.find(String(groupId)) }
}

void t.test('next is the first playable item of the queue, then the next episode, then an error', async (t) => {
  const { host, guest } = await watch(first)
  host.send({ type: 'syncplay_playback_queue', queue: [UNKNOWN, 'x', film, other].map((id) => ({ media_id: id })) })
  await guest.next('syncplay_playback_queue')
  host.send(next)
  t.match(await guest.next('syncplay_playback_queue'), { queue: [{ media_id: other }] })
  t.match(await guest.next('syncplay_timeline'), { cause: 'media', timeline: { media_id: film, position: 0 } })
  host.send(next)
  t.match(await guest.next('syncplay_playback_queue'), { queue: [] })
  t.match(await guest.next('syncplay_timeline'), { timeline: { media_id: other } })
  host.send(next)
  t.match(await host.next('syncplay_error'), { code: 'no_next_item' })
  host.send({ type: 'syncplay_playback_media', media_id: first })
  await guest.next('syncplay_timeline')
  host.send(next)
  t.match(await guest.next('syncplay_timeline'), { timeline: { media_id: second } })
  host.send(next)
  t.match(await host.next('syncplay_error'), { code: 'no_next_item' }, 'it was the last episode')
})

void t.test('only who controls the group goes on to the next item', async (t) => {
  const { guest, find } = await watch(first)
  const before = find()?.timeline
  guest.send(next)
  t.match(await guest.next('syncplay_error'), { code: 'NOT_HOST' })
  t.strictSame(find()?.timeline, before)
  const stranger = await app.enter()
  stranger.send(next)
  t.match(await stranger.next('syncplay_error'), { code: 'not_a_member' })
  stranger.socket.close()
})

void t.test('the queue plays on at the end of an item; without a queue the group stops there', async (t) => {
  const { host, guest, find } = await watch(film)
  host.send({ type: 'syncplay_playback_queue', queue: [{ media_id: other }] })
  host.send({ type: 'syncplay_playback_play', position: 99_000 })
  await guest.next('syncplay_playback_play')
  const playToEnd = async () => {
    app.clock.advance(101)
    await app.services.watchGroups.tick()
    let message = await guest.next('syncplay_timeline')
    while (message['cause'] !== 'end') message = await guest.next('syncplay_timeline')
    return message
  }
  t.match(await playToEnd(), { timeline: { media_id: film, state: 'paused' } })
  t.match(await guest.next('syncplay_timeline'), { cause: 'media', timeline: { media_id: other, position: 0 } })
  t.match(await guest.next('syncplay_playback_play'), { position: 0 })
  t.match(await playToEnd(), { timeline: { media_id: other } })
  t.match(find()?.timeline, { mediaId: other, state: 'paused' })
})
