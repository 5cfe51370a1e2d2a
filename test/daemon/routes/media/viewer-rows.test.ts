import t from 'tap'
import { runScanJob } from '../../../../src/core/scanning/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { countedDatabase } from '../../../support/counted-work.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { putSample } from '../../../support/scanning.ts'
import { testServices } from '../../../support/services.ts'

type Row = { id: string; name: string; type: string; user_data?: Record<string, unknown> }

const DEFAULTS = {
  favorite: false,
  rating: null,
  like_level: 0,
  watched: false,
  position_ticks: 0,
  duration_ticks: null,
  progress_percent: 0,
  unwatched_episodes: null,
}

void t.test('rows carry the data of the viewer on request, and no data of others', async (t) => {
  const { services, asked } = countedDatabase(await testServices(t))
  const server = await startApp(t, { services })
  const [{ token }, other] = [await server.registerAdmin(), await server.registerUser()]
  const ids = await makeItems(services.db, t.testdir(), [{}, {}, {}])
  const [first = '', second = '', third = ''] = ids
  const rowsAt = async (path: string, bearer = token): Promise<Row[]> => {
    const answer = await server.ask('GET', path, { token: bearer })
    t.equal(answer.status, 200, path)
    return pick(answer.json, 'items') as Row[]
  }
  const act = async (method: string, path: string, body?: object, bearer = token): Promise<unknown> => {
    const answer = await server.ask(method, `/api/v1${path}`, { token: bearer, body })
    t.ok(answer.status < 300, path)
    return answer.json
  }
  await act('POST', `/media/${first}/favorite`)
  await act('PUT', `/media/${first}/rating`, { rating: 7 })
  await act('POST', `/media/${third}/watched`)
  const session = String(pick(await act('POST', '/sessions', {}), 'session_id'))
  const report = { media_item_id: second, position_ticks: 250_000_000, duration_ticks: 1_000_000_000 }
  await act('POST', `/sessions/${session}/progress`, report)
  await act('POST', `/media/${second}/favorite`, undefined, other.token)

  const [{ library_id: libraryId } = { library_id: '' }] = (await rowsAt('/api/v1/media')) as unknown as {
    library_id: string
  }[]
  const mine = new Map([
    [first, { ...DEFAULTS, favorite: true, rating: 7 }],
    [second, { ...DEFAULTS, position_ticks: 250_000_000, duration_ticks: 1_000_000_000, progress_percent: 25 }],
    [third, { ...DEFAULTS, watched: true }],
  ])
  const lists = ['/api/v1/media?', '/api/v1/media/search?q=film&', `/api/v1/libraries/${libraryId}/items?`]
  for (const list of lists) {
    for (const parameter of ['include=user_data', 'include[]=user_data', 'include=user_data&include=user_data']) {
      const rows = await rowsAt(`${list}${parameter}`)
      t.equal(rows.length, 3)
      for (const { id, user_data: data } of rows) t.strictSame(data, mine.get(id), `${list}${parameter}`)
    }
    const theirs = await rowsAt(`${list}include=user_data`, other.token)
    for (const { id, user_data: data } of theirs) t.strictSame(data, { ...DEFAULTS, favorite: id === second }, list)
    for (const row of await rowsAt(list)) t.notOk('user_data' in row, 'nothing is added without the request')
    asked.length = 0
    await rowsAt(list)
    const without = asked.length
    asked.length = 0
    await rowsAt(`${list}include=user_data`)
    t.equal(asked.length, without + 1, 'one more statement for the page')
  }
  t.strictSame((await rowsAt('/api/v1/media/most-watched?include=user_data')).length, 0)
  await act('DELETE', `/media/${first}/favorite`)
  const changed = (await rowsAt('/api/v1/media?include=user_data')).find(({ id }) => id === first)
  t.equal(changed?.user_data?.['favorite'], false, 'a change shows in the next reply')
  t.notOk('user_data' in ((await rowsAt('/api/v1/media?include='))[0] ?? {}), 'a blank parameter is ignored')
  for (const include of ['everything', 'user_data,x'])
    t.match(await server.ask('GET', `/api/v1/media?include=${include}`, { token }), {
      status: 400,
      json: { code: 'invalid_request' },
    })
})

void t.test('a series or season has the number of its unwatched episodes', async (t) => {
  const { ask, registerAdmin, services } = await startApp(t)
  const { token } = await registerAdmin()
  const folder = reachableDirectory(t)
  for (const name of ['S01E01', 'S01E02', 'S02E01', 'S02E02']) {
    await putSample(folder, `Show (2001)/Season ${name[2]}/Show - ${name}.mp4`)
  }
  const made = await ask('POST', '/api/v1/libraries', { token, body: { name: 'Shows', type: 'series', path: folder } })
  const scanJobId = String(pick(made.json, 'job_id'))
  await runScanJob(services, { scanJobId, whenAborted: 'cancel' }, new AbortController().signal)
  const rowsOf = async (query: string): Promise<Row[]> =>
    pick((await ask('GET', `/api/v1/media?include=user_data&${query}`, { token })).json, 'items') as Row[]
  const [series] = await rowsOf('topLevel=1')
  t.strictSame(series?.user_data, { ...DEFAULTS, unwatched_episodes: 4 })
  const [season, other] = await rowsOf(`parentId=${series?.id}`)
  const [episode] = await rowsOf(`parentId=${season?.id}`)
  t.strictSame(episode?.user_data, DEFAULTS)
  await ask('POST', `/api/v1/media/${episode?.id}/watched`, { token })
  t.match((await rowsOf('topLevel=1'))[0]?.user_data, { watched: false, unwatched_episodes: 3, progress_percent: 25 })
  await ask('POST', `/api/v1/media/${season?.id}/watched`, { token })
  await ask('POST', `/api/v1/media/${season?.id}/favorite`, { token })
  const seasons = await rowsOf(`parentId=${series?.id}`)
  t.match(
    seasons.map(({ user_data: data }) => data),
    [
      { favorite: true, watched: true, unwatched_episodes: 0, progress_percent: 100 },
      { favorite: false, watched: false, unwatched_episodes: 2, progress_percent: 0 },
    ],
  )
  await ask('POST', `/api/v1/media/${other?.id}/watched`, { token })
  t.match((await rowsOf('topLevel=1'))[0]?.user_data, { watched: true, unwatched_episodes: 0 })
})
