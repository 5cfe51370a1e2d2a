import t, { type Test } from 'tap'
import { createOidcProvider, startOidcSignIn } from '../../../src/core/oidc/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import type { Outbound } from '../../../src/core/platform/outbound/index.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

/** A provider on the internet, whose keys are at the given address, and the addresses that were requested. */
async function setup(t: Test, { issuer, keys, more }: { issuer: string; keys: string; more?: object }) {
  const flags = {
    'auth.oidc.issuer': issuer,
    'auth.oidc.client_id': 'phlix',
    'server.public_url': 'https://media.example.test',
  }
  const config = loadConfig({ dataDirectory: '/nonexistent/phlix', environment: {}, flags })
  const log = await createLogger(config, { level: 'emergency' })
  const requested: string[] = []
  const send: Outbound['send'] = async ({ url }) => {
    requested.push(url)
    const answer = url === keys ? { keys: [] } : { issuer, jwks_uri: keys, ...more }
    const body = Buffer.from(JSON.stringify(answer))
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
  const provider = createOidcProvider({
    config,
    clock: movableClock('2026-03-01T12:00:00Z'),
    log,
    outbound: { send } as Outbound,
  })
  if (provider === undefined) throw new Error('no provider is configured')
  t.equal((await provider.metadata()).issuer, issuer)
  return { provider, requested }
}

void t.test('keys for logout tokens are not read without TLS, unless the provider is on this machine', async (t) => {
  for (const keys of [
    'http://auth.example.test/keys',
    'http://127.0.0.1/keys',
    'ftp://auth.example.test/keys',
    'keys',
  ]) {
    const { provider, requested } = await setup(t, { issuer: 'https://auth.example.test', keys })
    await t.rejects(provider.logoutKeys(), { code: 'oidc_unavailable' }, keys)
    t.notOk(requested.includes(keys), keys)
  }
  for (const issuer of ['https://auth.example.test', 'http://localhost:9000']) {
    const { provider, requested } = await setup(t, { issuer, keys: `${issuer}/keys` })
    await t.resolves(provider.logoutKeys(), issuer)
    t.ok(requested.includes(`${issuer}/keys`))
  }
})

void t.test('a provider is asked for a new sign-in only if it says that it supports that', async (t) => {
  const issuer = 'https://auth.example.test'
  const { pool: db } = await testDatabase(t)
  const clock = movableClock('2026-03-01T12:00:00Z')
  for (const [prompts, prompt] of [
    [undefined, null],
    [['none', 'consent'], null],
    ['login', null],
    [['none', 'login'], 'login'],
  ] as const) {
    const more = { authorization_endpoint: `${issuer}/authorize`, prompt_values_supported: prompts }
    const { provider: oidc } = await setup(t, { issuer, keys: `${issuer}/keys`, more })
    const input = { client: 'web', challenge: 'x', asksAgain: true } as const
    const { address } = await startOidcSignIn({ db, clock, oidc }, input)
    t.equal(new URL(address).searchParams.get('prompt'), prompt, JSON.stringify(prompts))
  }
})
