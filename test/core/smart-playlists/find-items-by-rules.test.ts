import { sql } from 'slonik'
import t from 'tap'
import { findItemsByRules } from '../../../src/core/smart-playlists/index.ts'
import { parseStoredRules } from '../../../src/core/smart-playlists/parse-rules.ts'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { matchesRandomRules } from './random-matches.ts'

/** `npm run soak -- random-matches` tries thousands of trees, and other items in each round. */
void t.test('the database chooses the items that the rules match, for any items and any tree (IN-09, IN-10)', (t) =>
  matchesRandomRules(t, { seed: 1, trees: 600 }),
)

void t.test('rules that exceed the statement timeout are reported as too slow', async (t) => {
  const { pool: db } = await testDatabase(t)
  const [id = ''] = await makeItems(
    db,
    reachableDirectory(t),
    Array.from({ length: 500 }, () => ({})),
  )
  const libraryId = String(await db.oneFirst(sql.unsafe`select library_id from media_items where id = ${id}`))
  const leaves = Array.from({ length: 900 }, (_, index) => ({
    field: 'title',
    op: 'notContains',
    value: `no ${index}`,
  }))
  const rules = parseStoredRules({ logic: 'and', rules: leaves })
  const selection = { rules, limit: 0, sortBy: 'random', isDescending: true } as const
  t.equal((await findItemsByRules({ db }, { libraryId, selection })).length, 500)
  const impatient = db.transaction(async (connection) => {
    await connection.query(sql.unsafe`set local statement_timeout = '1ms'`)
    return findItemsByRules({ db: connection }, { libraryId, selection })
  })
  await t.rejects(impatient, { code: 'rules_too_slow', kind: 'unavailable' })
})
