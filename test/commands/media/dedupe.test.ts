import { sql } from 'slonik'
import t from 'tap'
import { makeItems } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })

void t.test('media:dedupe and session:dedupe find nothing in a database with its keys', async (t) => {
  const files = await run('media:dedupe')
  t.match(files, { code: 0, stdout: 'Removed 0 repeated rows; the unique key of the paths of files exists\n' })
  const positions = await run('session:dedupe', '--dry-run')
  t.match(positions, {
    code: 0,
    stdout: /^0 repeated positions would be removed; the primary key of the positions exists/,
  })
})

void t.test('without the keys repeated rows are removed and the keys added, unless it is a dry run', async (t) => {
  await makeItems(db, t.testdir(), [{ name: 'One', sortTitle: 'One' }])
  await db.query(sql.unsafe`alter table media_items drop constraint media_items_path_key`)
  await db.query(sql.unsafe`alter table playback_states drop constraint playback_states_pkey`)
  await db.query(sql.unsafe`
    insert into media_items (library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns,
      added_at, created_at, updated_at)
    select library_id, type, name, sort_title, path, path_hash, folder_hash, size_bytes, modified_ns, now(), now(), now()
    from media_items where path_hash is not null`)
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout) as object
  const missing = { dry_run: true, found: 1, removed: 0, key_added: false, has_key: false }
  t.match(await json('media:dedupe', '--dry-run'), missing)
  t.match(await json('media:dedupe'), { dry_run: false, found: 1, removed: 1, key_added: true, has_key: true })
  t.match(await json('media:dedupe'), { found: 0, removed: 0, key_added: false, has_key: true })
  t.match(await json('session:dedupe'), { found: 0, removed: 0, key_added: true, has_key: true })
})
