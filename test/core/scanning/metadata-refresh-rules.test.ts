import { sql } from 'slonik'
import t from 'tap'
import { changeSettings } from '../../../src/core/platform/settings/index.ts'
import { listScanFailures } from '../../../src/core/scanning/index.ts'
import { countsOf, providerAndLibraries, show, sum } from '../../support/metadata-catalogue.ts'
import { addFilm, emptyLibrary, runJob } from '../../support/metadata.ts'

void t.test('what a metadata job visits, keeps and passes over', async (t) => {
  const { fake, services, db, fill } = await providerAndLibraries(t)

  await t.test('an invalid reply fails only one item', async (t) => {
    const { library, stamped } = await fill({ films: 3 })
    fake.overrideResponse = ({ path }) => {
      if (path === '/movie/1001') return { status: 200, text: '<html>' }
      return path === '/movie/1002' ? { status: 200, body: { id: 'no number' } } : undefined
    }
    const job = await runJob(services, library.id, 'metadata')
    t.match(job, { status: 'completed', itemsUpdated: 3, itemsFailed: 2 })
    t.match(await listScanFailures(services, { scanJobId: job.id }), [
      { code: 'metadata_reply_invalid', reason: /TMDB sent a reply/ },
      { code: 'metadata_reply_invalid' },
    ])
    t.equal(await stamped(), 1)
  })

  await t.test('with metadata.overwrite_existing off a refresh skips items with metadata', async (t) => {
    const { library, stamped } = await fill({ films: 4 })
    await changeSettings(services, { 'metadata.overwrite_existing': false })
    const [one, two] = await db.anyFirst(sql.unsafe`
      select id from media_items where library_id = ${library.id} order by id limit 2`)
    await db.query(sql.unsafe`
      update media_items set metadata_refreshed_at = now(), metadata = '{"overview": "mine"}' where id = ${String(one)}`)
    await db.query(sql.unsafe`update media_items set metadata = '{"overview": "mine"}' where id = ${String(two)}`)
    t.match(await runJob(services, library.id, 'metadata_refresh'), {
      status: 'completed',
      itemsFound: 4,
      itemsUpdated: 4,
    })
    t.equal(await stamped(), 3)
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 2)
    t.equal(
      Number(await db.oneFirst(sql.unsafe`select count(*) from media_items where metadata = '{"overview": "mine"}'`)),
      2,
    )
    await changeSettings(services, { 'metadata.overwrite_existing': null })
    await runJob(services, library.id, 'metadata_refresh')
    t.equal(await stamped(), 4, 'the setting is heeded by the next job, without a restart')
  })

  await t.test('a repeated search of a series keeps its match among two of the same name', async (t) => {
    const { library } = await fill({ films: 0, shows: 1 })
    await runJob(services, library.id, 'metadata')
    fake.titles.push({ ...show(1), id: 9999, popularity: 100 })
    await runJob(services, library.id, 'metadata_refresh')
    t.equal(
      await db.oneFirst(sql.unsafe`
        select metadata->'external_ids'->>'tmdb' from media_items where library_id = ${library.id} and type = 'series'`),
      '5001',
    )
  })

  await t.test('replies are cached for a day, for all callers', async (t) => {
    const { library } = await fill({ films: 1 })
    await runJob(services, library.id, 'metadata')
    const other = await emptyLibrary(t, db, { name: 'Another' })
    await addFilm(db, other, { name: 'Film number 1', year: 1951 })
    fake.requests.length = 0
    t.match(await runJob(services, other.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 0)
    await db.query(sql.unsafe`update provider_replies set fetched_at = fetched_at - interval '25 hours'`)
    await db.query(sql.unsafe`update media_items set metadata_refreshed_at = null where library_id = ${other.id}`)
    await runJob(services, other.id, 'metadata')
    t.equal(sum(countsOf(fake.requests), /\/movie\/\d+$/), 1)
  })
})
