import t from 'tap'
import { runScanJob } from '../../../../src/core/scanning/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { putSample } from '../../../support/scanning.ts'

void t.test('a new series library is scanned at once, and clients go from series to seasons to episodes', async (t) => {
  const { ask, registerAdmin, registerUser, services } = await startApp(t)
  const [admin, { token }] = [await registerAdmin(), await registerUser()]
  const folder = reachableDirectory(t)
  for (const path of ['Season 2/Show - S02E02.mp4', 'Season 2/Show - S02E10.mp4', 'Specials/Show - S00E01.mp4']) {
    await putSample(folder, `Show (2001)/${path}`)
  }
  await putSample(folder, 'Show (2001)/Season 1/Show - S01E01 - Zero.mp4')
  await putSample(folder, 'Show (2001)/Season 1/Show - S01E02-E03 - And One.mp4')
  await putSample(folder, 'Show (2001)/trailers/Trailer.mp4')
  const made = await ask('POST', '/api/v1/libraries', {
    token: admin.token,
    body: { name: 'Shows', type: 'series', path: folder },
  })
  t.match(made, { status: 201, json: { type: 'series', status: 'scanning', job_id: String } })
  const scanJobId = String(pick(made.json, 'job_id'))
  const job = await runScanJob(services, { scanJobId, whenAborted: 'cancel' }, new AbortController().signal)
  t.match(job, { status: 'completed', itemsAdded: 6 })
  const rows = async (query: string): Promise<unknown[]> => {
    const { json } = await ask('GET', `/api/v1/media?${query}`, { token })
    const items = pick(json, 'items') as unknown[]
    t.equal(pick(json, 'total'), items.length)
    return items
  }
  const [series, ...others] = await rows('topLevel=1')
  t.strictSame(others, [])
  t.match(series, { type: 'series', name: 'Show', year: 2001, parent_id: null, season_number: null, path: null })
  const seasons = await rows(`parentId=${String(pick(series, 'id'))}`)
  t.match(seasons, [
    { type: 'season', name: 'Season 1', season_number: 1, parent_id: pick(series, 'id') },
    { type: 'season', name: 'Season 2', season_number: 2 },
    { type: 'season', name: 'Specials', season_number: 0 },
  ])
  t.match(await rows(`parentId=${String(pick(seasons[0], 'id'))}`), [
    { type: 'episode', name: 'Zero', season_number: 1, episode_number: 1, episode_title: 'Zero' },
    { type: 'episode', name: 'And One', season_number: 1, episode_number: 2, parent_id: pick(seasons[0], 'id') },
  ])
  t.match(await rows(`parentId=${String(pick(seasons[1], 'id'))}`), [{ episode_number: 2 }, { episode_number: 10 }])
  t.match(await rows(`parentId=${String(pick(seasons[1], 'id'))}&order=desc`), [
    { episode_number: 10 },
    { episode_number: 2 },
  ])
  t.match(await rows('search=show'), [{ type: 'series' }])
  const inSeason = `parentId=${String(pick(seasons[0], 'id'))}`
  t.match(await rows(`search=one&${inSeason}`), [{ name: 'And One' }])
  t.match(await rows(`search=zeroo&${inSeason}`), [{ name: 'Zero' }], 'typing errors, too')
  t.match(await rows(`search=zero&${inSeason}&topLevel=1`), [{ name: 'Zero' }], 'topLevel is ignored in a search')
  t.strictSame(await rows(`search=show&${inSeason}`), [])
  const detail = await ask('GET', `/api/v1/media/${String(pick(series, 'id'))}`, { token })
  t.match(detail, { status: 200, json: { type: 'series', stream_url: null, streams: [] } })
})
