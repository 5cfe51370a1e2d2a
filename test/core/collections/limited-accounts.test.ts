import { sql } from 'slonik'
import t from 'tap'
import { changeCollection, listCollections } from '../../../src/core/collections/index.ts'
import { plant } from '../../support/access-canaries.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { limitedServices } from '../../support/limited-services.ts'
import { testServices } from '../../support/services.ts'

const services = await testServices(t)
const { db } = services
const ownerId = await makeUser(db, 'owner')
const open = await plant(db, 'movie', { word: 'open', rating: 'G', ownerId, day: 1 })
const hidden = await plant(db, 'movie', { word: 'hidden', rating: 'NC-17', ownerId, day: 2, libraryId: open.libraryId })
const child = await limitedServices(services, { maxAge: 12 })

async function add(
  name: string,
  more: { parentId?: string; playlistId?: string; itemIds?: string[] } = {},
): Promise<string> {
  const id = String(
    await db.oneFirst(sql.unsafe`
      insert into collections (name, library_id, owner_id, parent_id, smart_playlist_id, sort_order, created_at, updated_at)
      values (${name}, ${open.libraryId}, ${ownerId}, ${more.parentId ?? null}, ${more.playlistId ?? null}, 9, now(), now()) returning id`),
  )
  for (const itemId of more.itemIds ?? []) {
    await db.query(sql.unsafe`
      insert into collection_items (collection_id, media_item_id, sort_order, added_at) values (${id}, ${itemId}, 0, now())`)
  }
  return id
}

async function seenNames(): Promise<string[]> {
  return (await listCollections(child)).map(({ name }) => name)
}

void t.test('a collection is visible if something in it or below it is, or if it says nothing', async (t) => {
  const parent = await add('only hidden ones below')
  const middle = await add('in the middle', { parentId: parent })
  await add('hidden items', { parentId: middle, itemIds: [hidden.itemId] })
  await add('rules that are hidden', { playlistId: hidden.playlistId })
  const above = await add('above', { itemIds: [hidden.itemId] })
  await add('visible below', { parentId: above, itemIds: [open.itemId] })
  const empty = await add('empty')
  await add('empty below', { parentId: empty })
  const names = await seenNames()
  t.strictSame(names.filter((name) => !name.includes(' collection ')).toSorted(), [
    'above',
    'empty',
    'empty below',
    'visible below',
  ])
})

void t.test('a collection does not say the ids of a parent or of rules that are hidden, and keeps them', async (t) => {
  const other = await plant(db, 'movie', { word: 'other', rating: 'NC-17', ownerId, day: 3 })
  const parentId = await add('parent')
  await db.query(sql.unsafe`update collections set library_id = ${other.libraryId} where id = ${parentId}`)
  const id = await add('child', { parentId, playlistId: hidden.playlistId, itemIds: [open.itemId] })
  const reader = await limitedServices(services, { maxAge: 12, libraryIds: [open.libraryId] })
  const before = await changeCollection(reader, {
    id,
    by: { id: ownerId, isAdmin: false },
    changes: { name: 'renamed' },
  })
  t.match(before, { name: 'renamed', parentId: null, smartPlaylistId: null })
  t.strictSame(
    await db.one(
      sql.unsafe`select parent_id as parent, smart_playlist_id as playlist from collections where id = ${id}`,
    ),
    { parent: parentId, playlist: hidden.playlistId },
    'the change keeps them',
  )
})
