import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { sampleMedia } from '../../support/media.ts'
import { siblingOfDataDirectory, runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const { environment, pool: db } = await testDatabase(t)
const media = siblingOfDataDirectory(data, 'media')
t.teardown(() => rm(media, { recursive: true, force: true }))

const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
const json = async (...words: string[]) => {
  const { code, stdout } = await run(...words, '--json')
  return { code, document: JSON.parse(stdout) as Record<string, unknown> }
}

const forget = () =>
  db.query(
    sql.unsafe`update media_items set metadata = metadata - 'source', duration_seconds = null, probe_error = null`,
  )

for (const name of ['One', 'Two']) {
  const folder = join(media, name)
  await mkdir(folder, { recursive: true })
  for (const number of [1, 2]) await copyFile(await sampleMedia('film-tiny-mp4'), join(folder, `${name} ${number}.mp4`))
  await run('library:create', name, '--type', 'movie', '--path', folder)
  await run('library:scan', name)
}

void t.test('without anything to read it says so and makes no job', async (t) => {
  t.match(await run('source:backfill'), { code: 0, stdout: 'Read 0 files, 0 failed; 4 items had been read before\n' })
  t.match((await json('source:backfill')).document, { processed: 0, skipped: 4, failed: [], job_ids: [] })
})

void t.test('it reads files that were not probed, in all libraries, and can be repeated', async (t) => {
  await forget()
  const { code, document } = await json('source:backfill')
  t.equal(code, 0)
  t.match(document, { processed: 4, skipped: 0, failed_count: 0, job_ids: [String, String] })
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from media_items where metadata ? 'source'`), 4)
  t.match((await json('source:backfill')).document, { processed: 0, skipped: 4 })
})

void t.test('--library and --limit bound it', async (t) => {
  await forget()
  t.match((await json('source:backfill', '--library', 'Two', '--limit', '1')).document, { processed: 1, skipped: 0 })
  t.match((await json('source:backfill', '--limit', '2')).document, { processed: 2, job_ids: { length: 1 } })
  t.match((await json('source:backfill')).document, { processed: 1, skipped: 3 })
  t.equal((await run('source:backfill', '--library', 'Nothing')).code, 66)
  t.equal((await run('source:backfill', '--limit', '0')).code, 2)
})

void t.test('files that cannot be read exit 3 and are named; a busy library exits 75', async (t) => {
  await forget()
  await writeFile(join(media, 'One', 'One 1.mp4'), Buffer.alloc(500, 7))
  const { code, document } = await json('source:backfill', '--library', 'One')
  t.equal(code, 3)
  t.match(document, {
    processed: 2,
    failed_count: 1,
    failed: [{ path: join(media, 'One', 'One 1.mp4'), reason: String }],
  })
  t.match(await run('source:backfill', '--library', 'One'), { code: 3, stderr: /One 1\.mp4: / })
  await run('library:scan', 'Two', '--no-wait')
  t.match(await json('source:backfill', '--library', 'Two'), {
    code: 75,
    document: { error: { code: 'library_busy' } },
  })
})
