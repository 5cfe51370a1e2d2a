import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { startFakeTmdb, TMDB_KEY } from '../../support/fake-tmdb.ts'
import { runPhlix, temporaryDataDirectory } from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const database = await testDatabase(t)
const tmdb = await startFakeTmdb(t)
const environment = {
  ...database.environment,
  TVDB_API_KEY: 'of the environment',
  PHLIX_TMDB_URL: tmdb.baseUrl,
}
const run = (words: string[], input?: string) =>
  runPhlix([...words, '--data-dir', data], { environment, ...(input === undefined ? {} : { input }) })
const option = async (path: string) => {
  const { stdout } = await run(['config:show', '--json'])
  const { options } = JSON.parse(stdout) as { options: { path: string }[] }
  return options.find((one) => one.path === path)
}

void t.test(
  'config:set writes a setting, config:show shows it and where it came from, config:unset takes it away',
  async (t) => {
    const name = 'metadata.overwrite_existing'
    t.match(await run(['config:set', name, 'off']), { code: 0, stdout: `${name} is set, effective now.\n` })
    t.match(await option(name), { value: false, origin: 'database' })
    t.match((await run(['config:show', '--origin', '--plain'])).stdout, `${name}\tfalse\tdatabase\n`)
    const { code, stdout } = await run(['config:unset', name, '--json'])
    t.equal(code, 0)
    t.match(JSON.parse(stdout), {
      setting: { path: name, value: true, origin: 'default', stored: false },
      changed: true,
    })
    t.match(await option(name), { value: true, origin: 'default' })
    t.match(await run(['config:unset', name]), {
      code: 0,
      stdout: `${name} was not set in the database; nothing changed. It is true (the default).\n`,
    })
    await run(['config:set', name, 'off'])
    t.match(await run(['config:unset', name]), {
      stdout: `Removed ${name} from the database. Effective now: true (the default).\n`,
    })
    t.match(await run(['config:unset', 'metadata.overwrite_existin']), {
      code: 2,
      stderr: /is not a setting \(did you mean metadata\.overwrite_existing\?\)/,
    })
    t.match((await run(['config:unset', 'metadata.tvdb.api_key'])).stdout, /a secret \(environment TVDB_API_KEY\)/)
  },
)

void t.test('a secret is read from standard input, tried, and shown nowhere', async (t) => {
  const { code, stdout } = await run(['config:set', 'metadata.tmdb.api_key', '-', '--json'], `${TMDB_KEY}\n`)
  t.equal(code, 0)
  t.match(JSON.parse(stdout), {
    setting: { value: '***', origin: 'database', restart_required: true },
    key_check: 'accepted',
    warnings: [],
  })
  const shown = await run(['config:show', '--json'])
  t.notMatch(stdout + shown.stdout + shown.stderr, TMDB_KEY)
  t.match(JSON.parse((await run(['config:get', 'metadata.tmdb.api_key', '--json'])).stdout), {
    option: { path: 'metadata.tmdb.api_key', value: '***', origin: 'database', secret: true },
  })
})

void t.test('a key that the provider refuses is not set, even if replies are cached', async (t) => {
  const refused = await run(['config:set', 'metadata.tmdb.api_key', 'S3CRET-canary', '--json'])
  t.equal(refused.code, 2)
  t.match(JSON.parse(refused.stdout), {
    error: { code: 'metadata.key_refused', message: 'TMDB refuses the key (HTTP 401)' },
  })
  t.notMatch(refused.stdout + refused.stderr, 'S3CRET-canary')
  t.equal((await run(['config:set', 'metadata.tmdb.api_key', TMDB_KEY])).code, 0, 'the old one is still good')
  const asked = tmdb.requests.length
  t.equal((await run(['config:set', 'metadata.tmdb.api_key', 'untried', '--no-check'])).code, 0)
  t.equal(tmdb.requests.length, asked, 'no provider is asked with --no-check')
})

void t.test('a key is set with a warning while its provider is unreachable', async (t) => {
  tmdb.overrideResponse = () => ({ status: 404, text: 'no JSON' })
  t.teardown(() => void (tmdb.overrideResponse = undefined))
  const away = await run(['config:set', 'metadata.tmdb.api_key', TMDB_KEY, '--json'])
  t.match({ code: away.code, ...(JSON.parse(away.stdout) as object) }, { code: 0, setting: { value: '***' } })
  tmdb.overrideResponse = () => ({ status: 200, text: 'no JSON' })
  const odd = await run(['config:set', 'metadata.tmdb.api_key', TMDB_KEY, '--json'])
  t.match(JSON.parse(odd.stdout), {
    key_check: 'not_reached',
    warnings: ['The key was not tried: TMDB sent a reply that is not JSON'],
  })
})

void t.test('config:get prints one value alone; a name that is none is refused with the nearest', async (t) => {
  t.match(await run(['config:get', 'server.port']), { code: 0, stdout: '8096\n' })
  t.match(await run(['config:get', 'database.host']), { code: 0, stdout: /^\S+\n$/ })
  const { code, stdout } = await run(['config:get', 'server.prot', '--json'])
  t.equal(code, 2)
  t.match(JSON.parse(stdout), { error: { code: 'usage', hint: 'did you mean server.port?' } })
})

void t.test('unknown settings, invalid values and settings from elsewhere are refused with the reason', async (t) => {
  for (const [words, exit, code, message] of [
    [['metadata.overwrite_existin', 'off'], 2, 'setting_unknown', /did you mean metadata\.overwrite_existing/],
    [['database.host', 'x'], 2, 'setting_unknown', /file, environment or flag/],
    [['metadata.country', 'usa'], 2, 'setting_invalid', /must be a country/],
    [['metadata.tvdb.api_key', 'x'], 1, 'setting_locked', /set by environment TVDB_API_KEY/],
  ] as const) {
    const answer = await run(['config:set', ...words, '--json'])
    t.equal(answer.code, exit, words[0])
    t.match(JSON.parse(answer.stdout), { error: { code, message } })
  }
  for (const [name, hint] of [
    [
      'relay.tunnel_url',
      'set PHLIX_RELAY_TUNNEL_URL, or tunnel_url in [relay] of config.toml; settings below relay: relay.enabled',
    ],
    ['server.port', 'set port in [server] of config.toml; phlix config:show lists the settings'],
    ['relay.tunnel', 'settings below relay: relay.enabled'],
    ['nonsense', 'phlix config:show lists the settings'],
  ] as const) {
    const answer = await run(['config:set', name, 'x', '--json'])
    t.match(JSON.parse(answer.stdout), { error: { code: 'setting_unknown', hint } }, name)
  }
})

void t.test('while the database is unreachable config:show shows the rest, and warns', async (t) => {
  const away = { DB_HOST: '127.0.0.1', DB_PORT: '1' }
  const { code, stdout, stderr } = await runPhlix(['config:show', '--plain', '--data-dir', data], { environment: away })
  t.equal(code, 0)
  t.match(stdout, 'metadata.overwrite_existing\ttrue\n')
  t.match(stderr, /warning: the settings in the database cannot be read/)
})

void t.test(
  'switching local sign-in off is refused while somebody could not sign in, unless that risk is accepted',
  async (t) => {
    const words = ['accounts.local_sign_in', 'off']
    // Nothing answers there.
    const provider = {
      PHLIX_OIDC_ISSUER: 'http://127.0.0.1:1',
      PHLIX_OIDC_CLIENT_ID: 'phlix',
      PHLIX_PUBLIC_URL: 'http://localhost:8096',
    }
    const withProvider = (...line: string[]) =>
      runPhlix([...line, '--data-dir', data], { environment: { ...environment, ...provider } })
    await withProvider('user:create', 'ada', '--email', 'ada@example.org', '--admin')
    t.match(await withProvider('config:set', ...words), {
      code: 1,
      stderr: /Local sign-in cannot be disabled.*user:rescue/s,
    })
    await withProvider('user:link', 'ada', '--provider', provider.PHLIX_OIDC_ISSUER, '--subject', 'x')
    t.match(await withProvider('config:set', ...words), {
      code: 1,
      stderr: /rescue_account_missing.*phlix user:rescue NAME.*--accept-sign-in-risk/s,
    })
    await withProvider('user:rescue', 'ada')
    const unreachable = /OpenID provider does not answer.*--accept-sign-in-risk/s
    t.match(await withProvider('config:set', ...words), { code: 1, stderr: unreachable })
    t.match(await withProvider('config:get', 'accounts.local_sign_in'), { stdout: /(?:on|true)/ }, 'nothing was set')
    t.match(await withProvider('config:set', ...words, '--accept-sign-in-risk'), { code: 0, stdout: /is set/ })
    const off = { ...environment, ...provider, PHLIX_LOCAL_SIGN_IN: 'off' }
    t.match(await runPhlix(['config:validate', '--data-dir', data], { environment: off }), {
      code: 0,
      stderr: /Local sign-in is off.*user:rescue NAME/,
    })
    t.notMatch((await withProvider('config:validate')).stderr, 'Local sign-in')
  },
)
