import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { removeItem, removeMissingItems, removeLibraryItems } from '../../../src/core/catalogue/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { episodes } from '../../support/film-catalogue.ts'
import { holdLocks } from '../../support/row-locks.ts'

/** A series whose first row by id is the last one in the table: a removal in table order would lock the others before it. */
async function setup(t: Test) {
  const { pool: db, connectionUri } = await testDatabase(t)
  await makeItems(db, t.testdir(), episodes(['1:1', '1:2', '2:1']))
  const ids = (await db.anyFirst(sql.unsafe`select id from media_items order by id`)).map(String)
  await db.query(sql.unsafe`update media_items set missing_since = now()`)
  await db.query(sql.unsafe`update media_items set year = 2000 where id = ${ids[0] ?? ''}`)
  return { db, ids, holder: await holdLocks(t, connectionUri) }
}

const removals: Record<string, (db: Database, ids: readonly string[]) => Promise<unknown>> = {
  'of a series': async (db) =>
    removeItem(
      { db, clock: systemClock },
      String(await db.oneFirst(sql.unsafe`select id from media_items where type = 'series'`)),
    ),
  'of missing files': (db, ids) => removeMissingItems(db, ids),
  'of a part of a library': async (db) =>
    removeLibraryItems(db, { libraryId: String(await db.oneFirst(sql.unsafe`select id from libraries`)), limit: 100 }),
}

for (const [which, remove] of Object.entries(removals)) {
  void t.test(`a removal ${which} locks items by id, as marks do, so that the two cause no deadlock`, async (t) => {
    const { db, ids, holder } = await setup(t)
    const [first, ...others] = ids
    await holder.query('select from media_items where id = $1 for key share', [first])
    const removing = remove(db, ids)
    removing.catch(() => {})
    await holder.waiting(1)
    const locked = await holder.query('select from media_items where id = any ($1) for key share nowait', [others])
    t.equal(locked.rowCount, others.length, 'it waits for the first lock and holds no other')
    await holder.commit()
    await removing
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from media_items`), 0)
  })
}
