import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import {
  createAccount,
  disableAccount,
  findNamedAccount,
  linkAccount,
  listAccounts,
} from '../../src/core/accounts/index.ts'
import {
  changePluginSettings,
  disablePlugin,
  enablePlugin,
  findPluginSandbox,
  testPlugin,
  uninstallPlugin,
} from '../../src/core/plugins/index.ts'
import { pick, startApp, type Answer } from '../support/app.ts'
import { enableSample, installSource, waitForPlugin } from '../support/plugins.ts'
import { testServices } from '../support/services.ts'

const NAME = 'phlix-plugin-password-service'
const PASSWORD = 'provider horse'
const LOCAL_PASSWORD = 'correct horse'

/** What the service was asked, as `name:password`. */
const asked: string[] = []
const isRight = (credentials: string): boolean => credentials.endsWith(`:${PASSWORD}`)
let answer = (credentials: string, response: ServerResponse): void => {
  response.writeHead(isRight(credentials) ? 204 : 401).end()
}
const usual = answer

const server = createServer((request: IncomingMessage, response) => {
  const [, encoded = ''] = (request.headers.authorization ?? '').split(' ')
  const credentials = Buffer.from(encoded, 'base64').toString()
  asked.push(credentials)
  answer(credentials, response)
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/protected`

const services = await testServices(t, { environment: { RATE_LIMIT_LOGIN_MAX: '1000' } })
const app = await startApp(t, { services })
const { level } = await findPluginSandbox(services)
const skip = level === 'weak' && 'the machine offers no isolation'
services.plugins.start()

let clients = 0

/** Each attempt is of another client, so that only the limits of accounts count. */
function logIn(username: string, password = PASSWORD): Promise<Answer> {
  clients += 1
  const headers = { 'x-forwarded-for': `198.51.100.${clients}` }
  return app.ask('POST', '/api/v1/auth/login', { body: { username, password }, headers })
}

const outcome = ({ status, json }: Answer) => [status, pick(json, 'code') ?? pick(json, 'user', 'username')]

async function configure(name: string, settings: Record<string, unknown>): Promise<void> {
  await changePluginSettings(services, { name, changes: settings })
  await waitForPlugin(services, name)
}

void t.test('the sample does not start with an address that is open to everybody', { skip }, async (t) => {
  answer = (_, response) => response.writeHead(200).end()
  const enabling = enableSample(t, services, { name: NAME, settings: { url } })
  await t.rejects(enabling, { code: 'plugin_start_failed', message: /not protected: status 200/ })
  answer = (_, response) => response.writeHead(500).end()
  t.match(await enablePlugin(services, NAME, (plugin) => testPlugin(services, plugin)), { isEnabled: true })
  await waitForPlugin(services, NAME)
  t.equal((await logIn('first')).status, 401, 'an outage does not prevent the start')
  answer = (_, response) => response.writeHead(200).end()
  t.equal((await logIn('first')).status, 401, 'and the address is checked before the first password')
  answer = usual
  await uninstallPlugin(services, NAME)
  await services.plugins.refresh()
})

void t.test('before there is an administrator, a provider creates nobody', { skip }, async (t) => {
  await enableSample(t, services, { name: NAME, settings: { url, create_accounts: true } })
  t.strictSame(outcome(await logIn('first')), [401, 'invalid_credentials'])
  t.strictSame(await listAccounts(services), [])
  await configure(NAME, { create_accounts: null })
})

void t.test('people get accounts only if the administrator allows it', { skip }, async (t) => {
  await app.registerAdmin()
  t.strictSame(outcome(await logIn('alice')), [401, 'invalid_credentials'])
  t.equal(await findNamedAccount(services, 'alice'), undefined)
  await configure(NAME, { create_accounts: true })
  t.strictSame(outcome(await logIn('alice', 'wrong')), [401, 'invalid_credentials'])
  t.strictSame(outcome(await logIn('alice')), [200, 'alice'])
  t.match(await findNamedAccount(services, 'alice'), { isAdmin: false, status: 'active' })
  const both = await Promise.all([logIn('carol'), logIn('carol')])
  t.strictSame(both.map(outcome), [
    [200, 'carol'],
    [200, 'carol'],
  ])
  t.equal((await listAccounts(services)).length, 3, 'an account is created once')
  t.strictSame(outcome(await logIn('ALICE')), [401, 'invalid_credentials'], 'the service may know another ALICE')
})

void t.test('a provider is not asked about a local account, whatever it says (PI-07)', { skip }, async (t) => {
  answer = (_, response) => response.writeHead(204).end()
  asked.length = 0
  for (const name of ['admin', 'ADMIN', 'admin@example.test']) {
    t.strictSame(outcome(await logIn(name)), [401, 'invalid_credentials'])
  }
  t.equal(asked.length, 3, 'it gets a question for each, so that the time says nothing')
  t.notOk(asked.some((credentials) => /admin/i.test(credentials) || isRight(credentials)))
  t.strictSame(outcome(await logIn('admin', LOCAL_PASSWORD)), [200, 'admin'])
  t.equal(asked.length, 3, 'a right local password is nobody else’s business')
  for (const password of ['', 'x'.repeat(1025)]) t.equal((await logIn('alice', password)).status, 401)
  t.equal(asked.length, 3, 'neither is an empty password, nor a huge one')
  answer = usual
})

void t.test('a provider that fails gives a plain error, and local accounts sign in', { skip }, async (t) => {
  answer = (_, response) => response.writeHead(500).end()
  const unavailable = [401, 'sign_in_provider_unavailable']
  t.strictSame(outcome(await logIn('alice')), unavailable)
  t.strictSame(outcome(await logIn('nobody')), unavailable)
  t.strictSame(outcome(await logIn('admin', 'wrong')), unavailable, 'the same for a wrong local password')
  t.strictSame(outcome(await logIn('admin', LOCAL_PASSWORD)), [200, 'admin'])

  const waiting = Promise.withResolvers<() => void>()
  answer = (_, response) => waiting.resolve(() => response.writeHead(204).end())
  const slow = logIn('alice')
  const release = await waiting.promise
  t.strictSame(outcome(await logIn('admin', LOCAL_PASSWORD)), [200, 'admin'], 'while a provider does not answer')
  release()
  t.strictSame(outcome(await slow), [200, 'alice'])
  answer = usual
})

void t.test('a disabled account stays disabled', { skip }, async (t) => {
  await disableAccount(services, { usernameOrEmail: 'carol' })
  t.strictSame(outcome(await logIn('carol')), [401, 'account_disabled'])
  t.strictSame(outcome(await logIn('carol', 'wrong')), [401, 'invalid_credentials'])
})

void t.test('an administrator can link a local account, which keeps its password', { skip }, async (t) => {
  await app.registerUser()
  const linking = { usernameOrEmail: 'user', link: { provider: NAME, subject: 'user' } }
  t.match(await linkAccount(services, linking), { isChanged: true })
  t.strictSame(outcome(await logIn('user')), [200, 'user'])
  t.strictSame(outcome(await logIn('user', LOCAL_PASSWORD)), [200, 'user'])
  await t.rejects(linkAccount(services, { ...linking, usernameOrEmail: 'admin' }), { code: 'validation_failed' })
  await linkAccount(services, { usernameOrEmail: 'user', link: null })
  t.strictSame(outcome(await logIn('user')), [401, 'invalid_credentials'])
})

void t.test('twenty failures lock a name at the provider too', { skip }, async (t) => {
  asked.length = 0
  for (let index = 0; index < 20; index += 1) t.equal((await logIn('mallory', 'wrong')).status, 401)
  t.strictSame(outcome(await logIn('mallory')), [429, 'rate_limited'])
  t.equal(asked.length, 20, 'a locked name is not asked about')
})

void t.test('an uninstalled provider ends the sessions of its accounts', { skip }, async (t) => {
  const { json } = await logIn('alice')
  const me = () => app.ask('GET', '/api/v1/auth/me', { token: String(pick(json, 'access_token')) })
  t.equal((await me()).status, 200)
  await disablePlugin(services, NAME)
  await services.plugins.refresh()
  t.equal((await me()).status, 200, 'not when it is only disabled')
  t.strictSame(outcome(await logIn('alice')), [401, 'invalid_credentials'])
  await uninstallPlugin(services, NAME)
  t.equal((await me()).status, 401)
  const refreshed = await app.ask('POST', '/api/v1/auth/refresh', {
    body: { refresh_token: pick(json, 'refresh_token') },
  })
  t.equal(refreshed.status, 401)
  t.match(await findNamedAccount(services, 'alice'), { status: 'active' }, 'the account with its data stays')

  await enableSample(t, services, { name: NAME, settings: { url, create_accounts: true } })
  t.strictSame(outcome(await logIn('alice')), [401, 'invalid_credentials'], 'another plugin of this name gets nobody')
  await disablePlugin(services, NAME)
})

const HOSTILE = `export default class {
  checkPassword({ username, password }) {
    if (password !== 'let me in') return null
    const answers = {
      garbage: 'yes', number: 5, list: [1], empty: {}, hidden: { subject: 'a\\u202eb' }, long: { subject: 'x'.repeat(201) },
      takes: { subject: 'new', username: 'admin' },
      folded: { subject: 'new', username: 'ADMIN' },
      address: { subject: 'new', username: 'fresh', email: 'admin@example.test' },
      spoof: { subject: 'new', username: 'ad\\u200bmin' },
      form: { subject: 'new', username: { toString: 1 }, email: [] },
      bound: { subject: 'other person' },
    }
    return answers[username]
  }
}`

void t.test('a hostile provider signs nobody in to an account of others (PI-07)', { skip }, async (t) => {
  const name = 'phlix-plugin-hostile-directory'
  const settings = { create_accounts: { type: 'bool', default: true } }
  await installSource(t, services, { name, type: 'auth-provider', events: [], settings, source: HOSTILE })
  await enablePlugin(services, name, (plugin) => testPlugin(services, plugin))
  await waitForPlugin(services, name)
  const attempt = async (username: string) => outcome(await logIn(username, 'let me in'))
  t.strictSame(await attempt('form'), [401, 'invalid_credentials'], 'the default of a manifest allows nothing')
  await configure(name, { create_accounts: true })
  const before = (await listAccounts(services)).length
  for (const username of ['garbage', 'number', 'list', 'empty', 'hidden', 'long']) {
    t.strictSame(await attempt(username), [401, 'sign_in_provider_unavailable'], username)
  }
  for (const username of ['takes', 'folded', 'address', 'spoof', 'form', 'admin', 'nobody']) {
    t.strictSame(await attempt(username), [401, 'invalid_credentials'], username)
  }
  const account = { username: 'bound', email: 'bound@example.test', password: LOCAL_PASSWORD, isAdmin: false }
  await createAccount(services, account)
  await linkAccount(services, { usernameOrEmail: 'bound', link: { provider: name, subject: 'right person' } })
  t.strictSame(await attempt('bound'), [401, 'invalid_credentials'], 'another person than the linked one')
  t.equal((await listAccounts(services)).length, before + 1)
})
