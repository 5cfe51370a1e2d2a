import { sql } from 'slonik'
import t from 'tap'
import { pick, startApp } from '../../support/app.ts'
import { startFakeTmdb } from '../../support/fake-tmdb.ts'
import { addFilm, addSeries, emptyLibrary, rowOf, runJob, tmdbFlags } from '../../support/metadata.ts'
import { putFile, putSample } from '../../support/scanning.ts'
import { scanAgain } from '../../support/scan-library.ts'
import { testServices } from '../../support/services.ts'

/** JSON numbers that a PostgreSQL type, or a reader of them, cannot hold. */
const NUMBERS = [
  '5e-324',
  '-5e-324',
  '2.2250738585072014e-308',
  '1e-46',
  '1e-7',
  '-0',
  '0',
  '10',
  '10.00001',
  '-1',
  '3.4e38',
  '3.5e38',
  '1e308',
  '1e309',
  '-1e309',
  '9007199254740993',
  '0.1e1',
  '123456789012345678901234567890',
]

void t.test('no value of a provider or an NFO file makes a write fail', async (t) => {
  const fake = await startFakeTmdb(t)
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services
  const app = await startApp(t, { services })
  const { token } = await app.registerAdmin()

  await t.test('scores, votes and other numbers of a provider', async (t) => {
    const library = await emptyLibrary(t, db, { name: 'Provider' })
    const ids: string[] = []
    for (const [index, number] of NUMBERS.entries()) {
      const value = Number(number)
      fake.titles.push({
        id: 100 + index,
        kind: 'movie',
        title: `Number ${index}`,
        date: '2001-01-01',
        more: { vote_average: value, vote_count: value, popularity: value, runtime: value },
      })
      ids.push(await addFilm(db, library, { name: `number ${index}`, year: 2001 }))
    }
    const raw = NUMBERS.map((number, index) => [`/movie/${100 + index}`, number] as const)
    // As written in the reply: not every number survives serialization by this test.
    fake.overrideResponse = ({ path }) => {
      const number = raw.find(([wanted]) => wanted === path)?.[1]
      if (number === undefined) return undefined
      const text = `{"id":${path.slice(7)},"title":"Number","release_date":"2001-01-01","vote_average":${number},"vote_count":${number}}`
      return { status: 200, text }
    }
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    fake.overrideResponse = undefined
    for (const [index, id] of ids.entries()) {
      const score = await db.oneFirst(sql.unsafe`select vote_average from media_items where id = ${id}`)
      const isScore = score === null || (typeof score === 'number' && score >= 0 && score <= 10)
      t.ok(isScore, `${NUMBERS[index]} is ${String(score)}`)
    }
    const least = await db.oneFirst(sql.unsafe`select vote_average from media_items where id = ${ids[0] ?? ''}`)
    t.equal(least, 0)
    for (const query of ['minRating=0&maxRating=10', 'sort=rating', 'sort=year', '']) {
      t.equal((await app.ask('GET', `/api/v1/media?libraryId=${library.id}&${query}`, { token })).status, 200, query)
    }
    for (const id of ids) t.equal((await app.ask('GET', `/api/v1/media/${id}`, { token })).status, 200)
  })

  await t.test('texts, dates and people of a provider', async (t) => {
    const library = await emptyLibrary(t, db, { name: 'Texts' })
    const id = await addFilm(db, library, { name: 'texts', year: 2001 })
    fake.titles.push({ id: 500, kind: 'movie', title: 'Texts', date: '2001-01-01' })
    const long = 'x'.repeat(200_000)
    const body = {
      id: 500,
      title: `a\0\ud800${long}`,
      overview: long,
      release_date: '9999-99-99',
      genres: [{ name: long }, { name: 'a\0b' }, { name: '\udfff' }, { name: 7 }, null, 'x'],
      credits: { cast: [{ name: '\0', character: long }, { name: null }], crew: 'none' },
      vote_average: [],
      belongs_to_collection: { id: 1e300, name: long },
      external_ids: { imdb_id: `tt1'; drop table`, tvdb_id: -1 },
    }
    fake.overrideResponse = ({ path }) =>
      path === '/movie/500' ? { status: 200, text: JSON.stringify(body) } : undefined
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    fake.overrideResponse = undefined
    const { name, year } = (await rowOf(db, id)) as { name: string; year: number | null }
    t.ok(name.length <= 1024)
    t.equal(year, 9999)
    const shown = await app.ask('GET', `/api/v1/media/${id}`, { token })
    t.match(shown, { status: 200, json: { genres: { length: 3 } } })
  })

  await t.test('episodes of a provider', async (t) => {
    const library = await emptyLibrary(t, db, { name: 'Shows', type: 'series' })
    await addSeries(db, library, { name: 'show', year: 2001, seasons: { 1: [1] } })
    fake.titles.push({
      id: 600,
      kind: 'tv',
      title: 'Show',
      date: '2001-01-01',
      seasons: { 1: [{ number: 1, name: 'One' }] },
    })
    fake.overrideResponse = ({ path }) =>
      path === '/tv/600/season/1'
        ? {
            status: 200,
            text: '{"season_number":1,"episodes":[{"episode_number":1,"name":"One","vote_average":5e-324,"vote_count":1e309},{"episode_number":1e300,"name":"No"},{"episode_number":-1}]}',
          }
        : undefined
    t.match(await runJob(services, library.id, 'metadata'), { status: 'completed', itemsFailed: 0 })
    fake.overrideResponse = undefined
  })

  await t.test('numbers of an NFO file, and those stored by an older release', async (t) => {
    const library = await emptyLibrary(t, db, { name: 'Files' })
    for (const [index, number] of NUMBERS.entries()) {
      const name = `Film ${String(index).padStart(2, '0')} (2001)`
      await putSample(library.folder, `${name}.mp4`)
      putFile(
        library.folder,
        `${name}.nfo`,
        `<movie><title>F</title><year>${number}</year><rating>${number}</rating><votes>${number}</votes><runtime>${number}</runtime>
         <ratings><rating default="true" max="10"><value>${number}</value><votes>${number}</votes></rating></ratings></movie>`,
      )
    }
    await scanAgain(services, library.id)
    const { json } = await app.ask('GET', `/api/v1/media?libraryId=${library.id}&limit=100`, { token })
    t.equal(pick(json, 'total'), NUMBERS.length)
    for (const number of NUMBERS) {
      for (const column of ['metadata', 'local_metadata']) {
        const value = `{"vote_average": ${number}, "vote_count": ${number}, "rating": ${number}, "genres": ${number}}`
        await db.query(sql.unsafe`
          update media_items set ${sql.identifier([column])} = ${value}::jsonb where library_id = ${library.id}`)
      }
    }
    t.pass('all could be stored')
  })
})
