import { once } from 'node:events'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { approveRequest, submitRequest } from '../../../src/core/requests/index.ts'
import { createServices } from '../../../src/core/services.ts'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { startFakeRadarr } from '../../support/fake-radarr.ts'
import { runPhlix, startPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'

const data = await temporaryDataDirectory(t)
const database = await testDatabase(t)
const radarr = await startFakeRadarr(t)
const environment = {
  ...database.environment,
  PHLIX_RADARR_URL: radarr.url,
  PHLIX_RADARR_API_KEY: radarr.apiKey,
}
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
const config = loadConfig({ dataDirectory: data, environment })
const services = await createServices({ config, log: await createLogger(config, { level: 'critical' }) })
t.teardown(() => services.close())
const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse', isAdmin: false }
const { id: userId } = await createAccount({ ...services, passwordHashing: cheapPasswordHashing() }, account)

const MOVIE = { type: 'movie', catalogId: 603, title: 'The Matrix' }
const EPISODE = { type: 'series', catalogId: 1396, title: 'Breaking\u001b[31m Bad', season: 1, episode: 2 }

async function submit(fields: object = MOVIE): Promise<string> {
  return (await submitRequest(services, { userId, fields })).id
}

void t.test('request:list shows pending requests, and optionally all', async (t) => {
  t.match(await run('request:list'), { code: 0, stdout: 'No such requests\n' })
  const [film, episode] = [await submit(), await submit(EPISODE)]
  const { stdout } = await run('request:list')
  t.match(stdout, /^ID +STATUS +TYPE +TMDB +TITLE +CREATED +USER\n/)
  t.match(
    stdout,
    new RegExp(`${episode}  pending  series  1396  Breaking Bad S01E02 `),
    'nothing that moves the cursor',
  )
  const { requests } = JSON.parse((await run('request:list', '--status', 'all', '--json')).stdout)
  t.match(requests, [{ id: episode }, { id: film, catalog_id: 603, user_id: userId, status: 'pending', season: null }])
  t.match((await run('request:list', '--plain', '--status', 'approved')).stdout, /^\n?$/)
  t.match(await run('request:list', '--status', 'odd'), { code: 2 })
})

void t.test('request:deny stores a reason; a decided request exits 1, an unknown one 66', async (t) => {
  const id = await submit(EPISODE)
  const { code, stdout } = await run('request:deny', id, '--reason', 'Not now.', '--json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { request: { id, status: 'rejected', rejection_reason: 'Not now.' } })
  const again = await run('request:deny', id, '--json')
  t.match([again.code, JSON.parse(again.stdout)], [1, { error: { code: 'request_not_pending', exit: 1 } }])
  const missing = await run('request:approve', 'x', '--json')
  t.match([missing.code, JSON.parse(missing.stdout)], [66, { error: { code: 'request_not_found' } }])
})

void t.test(
  'request:approve requests the title; a server that fails or is not configured exits 69 with the reason',
  async (t) => {
    const film = await submit()
    radarr.behaviour = 'failing'
    const failed = await run('request:approve', film, '--json')
    const error = { code: 'approve_failed', exit: 69, message: 'Radarr answered with status 500.' }
    t.match([failed.code, JSON.parse(failed.stdout)], [69, { error }])
    radarr.behaviour = 'well'
    t.match(await run('request:approve', film), { code: 0, stdout: 'The Matrix is approved.\n' })
    t.match(radarr.movies, [{ tmdbId: 603 }])
    const series = await run('request:approve', await submit(EPISODE))
    t.equal(series.code, 69)
    t.match(series.stderr, /sonarr[^]*acquisition\.sonarr\.url/)
  },
)

void t.test(
  'an approval that is killed after Radarr added the title leaves the request pending, and its repetition adds nothing (F-02)',
  async (t) => {
    const id = await submit({ ...MOVIE, catalogId: 604 })
    let reached: () => void = () => undefined
    const added = new Promise<void>((resolve) => (reached = resolve))
    radarr.beforeAnswer = async ({ method, path }) => {
      if (method !== 'POST' || path !== '/movie') return
      radarr.has(604)
      reached()
      await new Promise(() => undefined)
    }
    const { child, result } = startPhlix(['request:approve', id, '--data-dir', data], { environment })
    await added
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    t.match(await result, { signal: 'SIGKILL' })
    radarr.beforeAnswer = () => undefined
    const before = radarr.calls.length
    t.match(await approveRequest(services, { id }), { status: 'approved' }, 'nothing holds it')
    t.notOk(radarr.calls.slice(before).includes('POST /movie'))
    t.equal(radarr.movies.filter(({ tmdbId }) => tmdbId === 604).length, 1)
  },
)
