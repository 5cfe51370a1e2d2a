import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { RATE_LIMIT_SURFACES } from '../../src/core/platform/config/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { startApp } from '../support/app.ts'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { runPhlix, temporaryDataDirectory } from '../support/phlix.ts'
import { testServices } from '../support/services.ts'

/** A text that no program makes by itself. */
const canary = (name: string): string => `canary-${name.replaceAll(/\W/g, '')}-7f3a9c51`

/** Fields of bodies that hold secrets. */
const SECRET_FIELDS = [
  'password',
  'current_password',
  'new_password',
  'currentPassword',
  'newPassword',
  'refresh_token',
  'access_token',
  'token',
  'secret',
  'api_key',
  'apiKey',
  'pin',
  'code',
  'invite_code',
  'setup_code',
  'challenge',
  'rawId',
]

/** What a secret looks like: a signed token, and a signature in an address. */
const FORMS = [/eyJ[\w-]{8,}\.[\w-]{8,}/, /[?&](?:sig|token|access_token|api_key)=[^&"\s]/]

function isFree(t: Test, text: string, { secrets, place }: { secrets: readonly string[]; place: string }): void {
  for (const secret of secrets) {
    const at = text.indexOf(secret)
    if (at !== -1) t.fail(`${secret} is in ${place}: ${text.slice(Math.max(0, at - 300), at + 100)}`)
  }
  for (const form of FORMS) {
    const found = form.exec(text)
    if (found !== null) t.fail(`${found[0]} is in ${place}: ${text.slice(Math.max(0, found.index - 300), found.index)}`)
  }
}

void t.test('no route writes a secret of a request to the log or into its error, at any level (LG-01)', async (t) => {
  let lines = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines += String(chunk)
      done()
    },
  })
  const surfaces = Object.keys(RATE_LIMIT_SURFACES)
  const flags = Object.fromEntries(surfaces.map((surface) => [`server.rate_limit.${surface}.max`, '1000000']))
  const quiet = await testServices(t, { flags })
  const log = await createLogger(quiet.config, { level: 'debug', destination })
  const { app, ask, registerAdmin, signIn } = await startApp(t, { services: { ...quiet, log } })
  const { account } = await registerAdmin()
  const tokens = new Set<string>()
  const fields = Object.fromEntries(SECRET_FIELDS.map((name) => [name, canary(name)]))
  const credential = { id: canary('credential'), rawId: canary('rawId'), type: 'public-key', response: fields }
  const signature = `sig=${canary('sig')}&exp=1&api_key=${canary('query')}&code=${canary('queryCode')}`
  const cookie = `session=${canary('cookie')}; phlix=${canary('cookie')}`
  const headers = { cookie, 'x-device-code': canary('deviceCode') }
  // A route may end the session.
  const openSession = async (): Promise<string> => {
    const token = await signIn(account.id)
    tokens.add(token)
    return token
  }
  const routes = app.declaredRoutes.filter(({ method }) => method !== 'HEAD')
  t.ok(routes.length > 200)
  let errors = ''
  for (const { method, url } of routes) {
    const path = url.replaceAll(/:\w+/g, 'x')
    const isWriting = !['GET', 'DELETE', 'OPTIONS'].includes(method)
    const form = { username: 'other', email: 'other@example.test', ...fields }
    const token = await openSession()
    for (const body of isWriting ? [form, { ...form, credential }, `{"password":"${canary('cut')}`] : [undefined]) {
      for (const bearer of [token, `${token}x`, canary('bearer')]) {
        const query = `token=${token}&${signature}`
        const { status, text } = await ask(method, `${path}?${query}`, { token: bearer, body, headers })
        if (status >= 400) errors += `${text}\n`
      }
    }
  }
  t.ok(lines.split('\n').length > routes.length / 2, 'requests are logged')
  const names = ['credential', 'rawId', 'sig', 'query', 'queryCode', 'cookie', 'deviceCode', 'cut', 'bearer']
  const secrets = [...SECRET_FIELDS, ...names].map(canary).concat([...tokens])
  isFree(t, lines, { secrets, place: 'the log' })
  isFree(t, errors, { secrets, place: 'an error' })
})

/** The configured secrets of a server. */
const CONFIGURED: Readonly<Record<string, string>> = {
  JWT_SECRET: canary('jwtSecretOfThisServer'),
  TMDB_API_KEY: canary('tmdb'),
  PHLIX_METRICS_TOKEN: canary('metrics'),
  PHLIX_S3_SECRET_ACCESS_KEY: canary('s3'),
  PHLIX_ACQUISITION_WEBHOOK_SECRET: canary('acquisition'),
  PHLIX_LASTFM_SECRET: canary('lastfm'),
}

/** The arguments of all processes of this machine. */
function argumentsOfProcesses(): string {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .join('\n')
}

void t.test('the secrets of a server are in no log, list of processes or output of a command (LG-01)', async (t) => {
  const data = await temporaryDataDirectory(t)
  const { environment: database } = await testDatabase(t)
  const password = database['DB_PASSWORD'] ?? ''
  const environment = { ...database, ...CONFIGURED, LOG_LEVEL: 'debug', PHLIX_LOG_TO_FILE: 'true' }
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(`${daemon.address}/api/v1${path}`, { method, headers, ...sent })).json() as Promise<object>
  }
  const account = { username: 'ann', email: 'ann@example.test', password: canary('password') }
  const { access_token: token, refresh_token: refresh } = (await send('POST', '/auth/register', account)) as {
    access_token: string
    refresh_token: string
  }
  await send('POST', '/auth/login', { username: 'ann', password: canary('wrong') })
  await send('POST', '/auth/login', { username: 'ann', password: account.password })
  await send('GET', `/media?token=${token}`)
  const webhook = {
    name: 'w',
    url: 'https://example.test/',
    secret: `${canary('webhook')}${'x'.repeat(32)}`,
    events: ['*'],
  }
  await send('POST', '/admin/webhooks', webhook, token)
  await send('POST', '/auth/refresh', { refresh_token: refresh })
  const secrets = [
    ...Object.values(CONFIGURED),
    ...['password', 'wrong', 'webhook'].map(canary),
    token,
    refresh,
    password,
  ]
  const given = { secrets: secrets.filter((secret) => secret.length > 6) }
  isFree(t, argumentsOfProcesses(), { ...given, place: 'the list of processes' })
  const bundle = join(data, 'bundle.tar.gz')
  const commands = [
    ['backup:create', '--json'],
    ['backup:list', '--json'],
    ['config:show', '--json'],
    ['config:show'],
    ['config:export'],
    ['doctor', '--json', '--bundle', bundle],
    ['logs:tail', '--json'],
    ['session:list', '--json'],
    ['status', '--json'],
    ['user:show', 'ann', '--json'],
    ['webhook:list', '--json'],
  ]
  for (const words of commands) {
    const { stdout, stderr, code } = await runPhlix([...words, '--data-dir', data], { environment })
    t.ok([0, 3, 4].includes(code ?? -1), `${words.join(' ')}: ${code} ${stderr}`)
    isFree(t, stdout + stderr, { ...given, place: words.join(' ') })
  }
  await stopDaemon(daemon)
  t.match(daemon.log(), /\/api\/v1\/auth\/login/)
  isFree(t, daemon.log(), { ...given, place: 'standard error' })
  for (const name of readdirSync(join(data, 'logs')))
    isFree(t, readFileSync(join(data, 'logs', name), 'utf8'), { ...given, place: name })
})
