import { sql } from 'slonik'
import t from 'tap'
import { getItem } from '../../src/core/catalogue/index.ts'
import { MAX_POLICIES } from '../../src/core/limited-viewer-services.ts'
import { plant } from '../support/access-canaries.ts'
import { makeUser } from '../support/catalogue-items.ts'
import { limitedServices } from '../support/limited-services.ts'
import { testServices } from '../support/services.ts'

const services = await testServices(t)
const { db } = services
const ownerId = await makeUser(db, 'owner')
const open = await plant(db, 'movie', { word: 'open', rating: 'G', ownerId, day: 1 })
const hidden = await plant(db, 'movie', { word: 'hidden', rating: 'NC-17', ownerId, day: 2 })

void t.test('services of a policy that was displaced by others still read', async (t) => {
  const child = await limitedServices(services, { maxAge: 12 })
  for (let age = 0; age <= 21; age += 1) {
    for (const allowsUnrated of [true, false]) {
      const other = await limitedServices(services, { maxAge: age, allowsUnrated })
      await other.db.query(sql.unsafe`select 1`)
    }
  }
  t.ok(MAX_POLICIES < 44)
  t.equal((await getItem(child, open.itemId)).id, open.itemId)
  await t.rejects(getItem(child, hidden.itemId), { code: 'media_item_not_found' })
})

void t.test('a command with a hidden item is answered like one with an unknown item', async (t) => {
  const child = await limitedServices(services, { maxAge: 12 })
  const ownerOf = { accountId: ownerId, profileId: ownerId }
  const played: unknown[] = []
  services.players.add(
    { id: 'player', ...ownerOf, username: 'owner', deviceName: 'TV', deviceType: 'tv' },
    async ({ mediaItemId }) => void played.push(mediaItemId),
  )
  t.teardown(() => services.players.remove('player'))
  const play = (mediaItemId: string) => child.players.command('player', ownerId, { action: 'play', mediaItemId })
  for (const id of [hidden.itemId, '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']) {
    await t.rejects(play(id), { code: 'media_item_not_found' }, id)
  }
  await play(open.itemId)
  t.strictSame(played, [open.itemId], 'the player gets only what is visible')
})
