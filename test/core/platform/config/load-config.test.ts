import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import { dumpConfig, loadConfig, type ConfigInput } from '../../../../src/core/platform/config/index.ts'

/** The problems for which a configuration is refused. */
function problemsOf(input: ConfigInput): string[] {
  try {
    loadConfig({ environment: {}, ...input })
  } catch (error) {
    if (error instanceof AppError && error.kind === 'misconfigured') return error.details['problems'] as string[]
    throw error
  }
  return []
}

/** A data directory whose config.toml holds the text. */
function directoryWith(t: Test, toml: string): string {
  return t.testdir({ 'config.toml': toml })
}

void t.test('without any configuration every option has its default', (t) => {
  const config = loadConfig({ dataDirectory: t.testdir(), environment: {} })
  t.equal(config.options['server.port'], 8096)
  t.equal(config.options['database.host'], undefined)
  t.equal(config.origins['server.port'], 'default')
  t.equal(config.isProduction, false)
  t.end()
})

void t.test(
  'flags take precedence over the environment, the environment over the file, the file over the default',
  (t) => {
    const dataDirectory = directoryWith(t, '[database]\npool_size = 3\nname = "file"\nuser = "file"\n')
    const environment = { DB_NAME: 'environment', DB_USER: 'environment' }
    const config = loadConfig({ dataDirectory, environment, flags: { 'database.user': 'flag' } })
    t.equal(config.options['database.pool_size'], 3)
    t.equal(config.options['database.name'], 'environment')
    t.equal(config.options['database.user'], 'flag')
    t.match(config.origins['database.pool_size'], /^file .*config\.toml$/)
    t.equal(config.origins['database.name'], 'environment DB_NAME')
    t.end()
  },
)

void t.test('the first listed environment name takes precedence over its alias', (t) => {
  const config = loadConfig({ dataDirectory: t.testdir(), environment: { DB_DATABASE: 'first', DB_NAME: 'alias' } })
  t.equal(config.options['database.name'], 'first')
  t.end()
})

void t.test('server.port has no environment name', (t) => {
  const environment = { PORT: '1', PHLIX_PORT: '1', SERVER_PORT: '1' }
  t.equal(loadConfig({ dataDirectory: t.testdir(), environment }).options['server.port'], 8096)
  t.end()
})

void t.test('an empty environment variable counts as unset', (t) => {
  t.equal(loadConfig({ dataDirectory: t.testdir(), environment: { DB_HOST: '' } }).options['database.host'], undefined)
  t.end()
})

void t.test('a mistyped key is refused with the nearest known key', (t) => {
  const dataDirectory = directoryWith(t, '[server]\nprot = 1\n[databse]\npool_size = 1\n[zzz]\nqqqqqqqqqqqqqqqq = 1\n')
  t.strictSame(problemsOf({ dataDirectory }), [
    'server.prot is not an option (did you mean server.port?)',
    'databse.pool_size is not an option (did you mean database.pool_size?)',
    'zzz.qqqqqqqqqqqqqqqq is not an option',
  ])
  t.end()
})

void t.test('all problems of file and environment are reported together', (t) => {
  const dataDirectory = directoryWith(t, '[server]\nport = "8096"\nhost = 1\n')
  const environment = { DB_PORT: '70000', DB_POOL_ENABLED: 'perhaps', LOG_LEVEL: 'loud' }
  t.strictSame(problemsOf({ dataDirectory, environment }), [
    'server.port must be a whole number from 0 to 65535',
    'server.host must be a text',
    'DB_PORT must be a whole number from 1 to 65535',
    'DB_POOL_ENABLED must be on or off',
    'LOG_LEVEL must be one of debug, info, notice, warning, error, critical, alert, emergency',
  ])
  t.end()
})

void t.test('numbers are parsed strictly', (t) => {
  for (const raw of ['1e3', '0x10', ' 8', '8 ', '8.0', '١', '99999999999999999999', '-', 'NaN', '--1']) {
    t.equal(
      problemsOf({ dataDirectory: t.testdir(), environment: { DB_POOL_SIZE: raw } }).length,
      1,
      JSON.stringify(raw),
    )
  }
  t.end()
})

void t.test('keys named like object internals are unknown keys', (t) => {
  const dataDirectory = directoryWith(t, '[__proto__]\nx = 1\n[constructor]\nprototype = 1\n')
  t.equal(problemsOf({ dataDirectory }).length, 2)
  t.equal(({} as Record<string, unknown>)['x'], undefined)
  t.end()
})

void t.test('a named file that is missing or is not TOML is refused', (t) => {
  const dataDirectory = t.testdir()
  t.equal(problemsOf({ dataDirectory, configFile: join(dataDirectory, 'absent.toml') }).length, 1)
  writeFileSync(join(dataDirectory, 'broken.toml'), '[server\nport=')
  t.equal(problemsOf({ dataDirectory, configFile: join(dataDirectory, 'broken.toml') }).length, 1)
  t.equal(problemsOf({ dataDirectory, environment: { PHLIX_CONFIG: '/does/not/exist' } }).length, 1)
  t.end()
})

void t.test('a data directory with % in its path is refused, because ffmpeg interprets it as a counter', (t) => {
  t.match(problemsOf({ dataDirectory: '/srv/100%' }), [/%/])
  t.end()
})

void t.test('a secret can come from a file, without its last newline', (t) => {
  const dataDirectory = t.testdir({ secret: 'from-a-file\n' })
  const environment = { DB_PASSWORD_FILE: join(dataDirectory, 'secret') }
  t.equal(loadConfig({ dataDirectory, environment }).options['database.password'], 'from-a-file')
  t.match(problemsOf({ dataDirectory, environment: { DB_PASSWORD_FILE: '/does/not/exist' } })[0], /DB_PASSWORD_FILE/)
  t.end()
})

void t.test('the dump shows every option and never a secret', (t) => {
  const config = loadConfig({
    dataDirectory: t.testdir(),
    environment: { DB_PASSWORD: 'canary', JWT_SECRET: 'canary' },
  })
  const dump = dumpConfig(config)
  t.equal(JSON.stringify(dump).includes('canary'), false)
  t.equal(dump.find((row) => row.path === 'auth.jwt_secret')?.value, '***')
  t.equal(dump.find((row) => row.path === 'server.port')?.value, 8096)
  t.end()
})

void t.test('every rate-limited surface has its limit and window as options (RL-01)', (t) => {
  const { options } = loadConfig({ dataDirectory: t.testdir(), environment: {} })
  const limits = { register: [5, 600], refresh: [30, 60], webauthn_start: [10, 60], webauthn_finish: [10, 60] }
  for (const [surface, [max, window]] of Object.entries({ ...limits, jwks: [120, 60], ws_connect: [30, 60] })) {
    t.equal(options[`server.rate_limit.${surface}.max` as 'server.rate_limit.jwks.max'], max, surface)
    t.equal(options[`server.rate_limit.${surface}.window` as 'server.rate_limit.jwks.window'], window, surface)
  }
  t.end()
})

void t.test('nested tables are options in every TOML notation', (t) => {
  for (const toml of [
    '[server.rate_limit.jwks]\nmax = 7\n',
    '[server]\nrate_limit = { jwks = { max = 7 } }\n',
    'server.rate_limit.jwks.max = 7\n',
  ]) {
    const config = loadConfig({ dataDirectory: directoryWith(t, toml), environment: {} })
    t.equal(config.options['server.rate_limit.jwks.max'], 7, toml)
  }
  const dataDirectory = directoryWith(t, '[server.rate_limit.jwk]\nmax = 7\n[server.port]\nx = 1\n')
  t.strictSame(problemsOf({ dataDirectory }), [
    'server.rate_limit.jwk.max is not an option (did you mean server.rate_limit.jwks.max?)',
    'server.port.x is not an option (did you mean server.port?)',
  ])
  t.end()
})

void t.test('a list or a date is not a table and is refused like every other invalid value', (t) => {
  const toml = 'day = 2020-01-01\n[server]\nhost = 2020-01-01\nport = [1]\n'
  t.strictSame(problemsOf({ dataDirectory: directoryWith(t, toml) }), [
    'day is not an option',
    'server.host must be a text',
    'server.port must be a whole number from 0 to 65535',
  ])
  t.end()
})

void t.test('trusted proxies default to the loopback, and an entry that is no address is refused', (t) => {
  t.equal(loadConfig({ environment: {} }).options['server.trusted_proxies'], '127.0.0.0/8,::1')
  t.strictSame(problemsOf({ environment: { TRUSTED_PROXIES: '10.0.0.0/8, proxy.local', DB_PORT: '0' } }), [
    'TRUSTED_PROXIES must be IP addresses and CIDR ranges; these are neither: proxy.local',
    'DB_PORT must be a whole number from 1 to 65535',
  ])
  const dataDirectory = directoryWith(t, '[server]\ntrusted_proxies = ""\n')
  t.equal(loadConfig({ dataDirectory, environment: {} }).options['server.trusted_proxies'], '')
  t.end()
})
