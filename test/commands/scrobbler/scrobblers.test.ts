import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { LISTENBRAINZ_TOKEN, TRAKT, startFakeScrobbleServices } from '../../support/fake-scrobble-services.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const fake = await startFakeScrobbleServices(t)
const { environment: databaseEnvironment } = await testDatabase(t)
const environment = {
  ...databaseEnvironment,
  PHLIX_LISTENBRAINZ_URL: `${fake.url}/listenbrainz`,
  PHLIX_TRAKT_URL: `${fake.url}/trakt`,
  PHLIX_TRAKT_CLIENT_ID: TRAKT.clientId,
  PHLIX_TRAKT_CLIENT_SECRET: TRAKT.clientSecret,
}
const data = await temporaryDataDirectory(t)
const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
await run('user:create', 'ada', '--email', 'ada@example.org')

void t.test('an account is connected with a token from a file, listed and disconnected', async (t) => {
  const file = join(data, 'token.txt')
  await writeFile(file, `${LISTENBRAINZ_TOKEN}\n`)
  t.match((await run('scrobbler:list')).stdout, /No connections/)
  const connected = await run('scrobbler:connect', 'ada', 'listenbrainz', '--token-file', file)
  t.match(connected, { code: 0, stdout: 'ada is connected with ada_brainz of listenbrainz.\n' })
  const listed = await run('scrobbler:list', '--plain')
  t.match(listed.stdout, /^ada\tlistenbrainz\tada_brainz\t0\t-\n$/)
  t.notMatch((await run('scrobbler:list', '--json')).stdout, LISTENBRAINZ_TOKEN)
  t.match(await run('scrobbler:disconnect', 'ada', 'listenbrainz'), { code: 0 })
  t.match(await run('scrobbler:disconnect', 'ada', 'listenbrainz'), { code: 66, stderr: /Not connected/ })
})

void t.test('an account is connected when its user has entered the code at the service', async (t) => {
  t.match(await run('scrobbler:connect', 'ada', 'trakt', '--json'), {
    code: 0,
    stdout: /"service_username": ?"ada_trakt"/,
    stderr: /Open https:\/\/trakt\.tv\/activate within 10 minutes\.\nCode: 5055CC52/,
  })
})

void t.test('what cannot work ends with a clear error', async (t) => {
  const cases: [words: string[], code: number, stderr: RegExp][] = [
    [['ada', 'listenbrainz'], 2, /--token-file/],
    [['ada', 'trakt', '--token-file', '-'], 2, /--token-file belongs to listenbrainz/],
    [['ada', 'myspace'], 2, /lastfm/],
    [['nobody', 'trakt'], 66, /user:list/],
    [['ada', 'lastfm'], 1, /scrobbling\.lastfm\.api_key and scrobbling\.lastfm\.secret/],
  ]
  for (const [words, code, stderr] of cases) {
    t.match(await run('scrobbler:connect', ...words), { code, stderr }, words.join(' '))
  }
})

void t.test('the account is an argument or --user', async (t) => {
  t.match(await run('scrobbler:connect', 'trakt', '--user', 'ada'), { code: 0, stdout: /^ada is connected/ })
  t.match(await run('scrobbler:list', 'ada', '--plain'), { stdout: /^ada\ttrakt\t/ })
  t.match(await run('scrobbler:disconnect', 'ada', 'trakt', '--user', 'ada'), { code: 2, stderr: /only one of/ })
  t.match(await run('scrobbler:disconnect', 'trakt', '--user', 'ada'), { code: 0 })
  t.match(await run('scrobbler:disconnect', 'ada'), { code: 2, stderr: /Name a service: lastfm, listenbrainz, trakt/ })
})
