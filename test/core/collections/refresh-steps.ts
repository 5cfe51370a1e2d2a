import { sql } from 'slonik'
import type { Test } from 'tap'
import {
  addToCollection,
  changeCollection,
  createCollection,
  getCollectionWithItems,
  refreshCollection,
  removeFromCollection,
} from '../../../src/core/collections/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { createSmartPlaylist } from '../../../src/core/smart-playlists/index.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { movableClock } from '../../support/records.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

/** Films from 1999, a user, and a function that makes collections of those from 2000 on. */
export async function makeCollections(db: Database, { folder, films }: { folder: string; films: number }) {
  const services = { db, clock: movableClock() }
  const by = { id: await makeUser(db, 'curator'), isAdmin: false }
  const names = Array.from({ length: films }, (_, index) => `Film ${String(index).padStart(2, '0')}`)
  const items = await makeItems(
    db,
    folder,
    names.map((name) => ({ name, sortTitle: name, year: 1999 })),
  )
  const [first = ''] = items
  const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${first}`))
  /** A collection of the films from 2000 on, by their names; its id. */
  const makeCollection = async (): Promise<string> => {
    const rules = { field: 'year', op: 'gte', value: 2000 }
    const input = { name: 'New films', libraryId, rules, sortBy: 'title', isDescending: false }
    const playlist = await createSmartPlaylist(services, { by, input })
    const collection = { name: 'New films', libraryId, smartPlaylistId: playlist.id }
    return (await createCollection(services, { by, input: collection })).id
  }
  return { db, services, by, items, libraryId, makeCollection }
}

export type CollectionSetup = Awaited<ReturnType<typeof makeCollections>>

async function contentOf({ db }: CollectionSetup, id: string): Promise<string[]> {
  return [...(await getCollectionWithItems({ db }, { id })).itemIds]
}

/**
 * Films start and stop matching, people add, remove and order members, and the collection is refreshed, all in a random order. After each
 * step the collection equals a model of the documented rules.
 */
export async function takeSteps(
  t: Test,
  setup: CollectionSetup,
  { random, steps }: { random: SeededRandom; steps: number },
): Promise<void> {
  const { db, services, by, items } = setup
  const id = await setup.makeCollection()
  const fitting = new Set<string>()
  let content: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const item = random.pick(items)
    switch (random.below(6)) {
      case 0:
        fitting.add(item)
        await db.query(sql.unsafe`update media_items set year = 2001 where id = ${item}`)
        break
      case 1:
        fitting.delete(item)
        await db.query(sql.unsafe`update media_items set year = 1999 where id = ${item}`)
        break
      case 2: {
        const named = random.shuffled(content).slice(0, random.below(content.length + 1))
        content = [...named, ...content.filter((one) => !named.includes(one))]
        await changeCollection(services, { id, by, changes: { itemIds: named } })
        break
      }
      case 3:
        if (!content.includes(item)) content.push(item)
        await addToCollection(services, { id, by, itemIds: [item] })
        break
      case 4:
        if (!content.includes(item)) break
        content = content.filter((one) => one !== item)
        await removeFromCollection(services, { id, by, itemId: item })
        break
      default: {
        const kept = content.filter((one) => fitting.has(one))
        const added = items.filter((one) => fitting.has(one) && !content.includes(one))
        const expected = { added: added.length, removed: content.length - kept.length }
        content = [...kept, ...added]
        const done = await refreshCollection(services, { id, by })
        if (JSON.stringify(done) !== JSON.stringify(expected)) t.strictSame(done, expected, `step ${step}`)
      }
    }
    const found = await contentOf(setup, id)
    if (JSON.stringify(found) !== JSON.stringify(content)) t.strictSame(found, content, `step ${step}`)
  }
  t.pass(`${steps} steps`)
}
