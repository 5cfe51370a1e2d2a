import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createAccount,
  disableAccount,
  startRefreshSession,
  type Account,
  type Session,
} from '../../../src/core/accounts/index.ts'
import {
  createApiKey,
  createKeyAccounts,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '../../../src/core/api-keys/index.ts'
import { approveDeviceCode, openDeviceCode, redeemDeviceCode } from '../../../src/core/quick-connect/index.ts'
import { countedDatabase } from '../../support/counted-work.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const usedFrom = '192.0.2.1'

async function setup(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const services = await testServices(t, { clock })
  const make = (username: string, isAdmin = false): Promise<Account> =>
    createAccount(services, { username, email: `${username}@example.test`, password: 'correct horse', isAdmin })
  const ann = await make('ann')
  const create = (input: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
    createApiKey(services, { account: ann, name: 'Script', scopes: ['read'], expiresAt: null, ...input })
  return { services, clock, make, ann, create }
}

void t.test('a key finds its owner; its text is not stored', async (t) => {
  const { services, ann, create } = await setup(t)
  const { key, apiKey } = await create({ scopes: ['play', 'read', 'play'] })
  t.match(apiKey, { accountId: ann.id, username: 'ann', name: 'Script', scopes: ['read', 'play'], expiresAt: null })
  const found = await services.keyAccounts.use({ key, usedFrom })
  t.match(found, { account: { id: ann.id }, apiKey: { id: apiKey.id } })
  const row = await services.db.one(sql.unsafe`select row_to_json(k)::text as text from api_keys k`)
  t.notOk(JSON.stringify(row).includes(key.slice(10)))
})

void t.test('an expired, revoked or unknown key finds nothing', async (t) => {
  const { services, clock, create } = await setup(t)
  const soon = await create({ expiresAt: new Date('2026-03-01T13:00:00Z') })
  const other = await create()
  clock.advance(3599)
  t.ok(await services.keyAccounts.use({ key: soon.key, usedFrom }))
  clock.advance(1)
  t.equal(await services.keyAccounts.use({ key: soon.key, usedFrom }), undefined)
  t.ok(await services.keyAccounts.isUsable(other.key))
  await revokeApiKey(services, { id: other.apiKey.id })
  t.equal(await services.keyAccounts.use({ key: other.key, usedFrom }), undefined)
  t.notOk(await services.keyAccounts.isUsable(other.key))
})

void t.test('the key of a disabled or deleted owner finds nothing', async (t) => {
  const { services, create } = await setup(t)
  const { key } = await create()
  await disableAccount(services, { usernameOrEmail: 'ann' })
  t.equal(await services.keyAccounts.use({ key, usedFrom }), undefined)
  await t.rejects(create(), { code: 'account_disabled' })
  await services.db.query(sql.unsafe`delete from users where username = 'ann'`)
  t.equal(await services.keyAccounts.use({ key, usedFrom }), undefined)
  t.strictSame(await listApiKeys(services, {}), [])
})

void t.test('bad input is explained field by field', async (t) => {
  const { services, create } = await setup(t)
  const bad = { name: ' \n', scopes: ['read', 'everything'], expiresAt: new Date('2026-03-01T12:00:00Z') }
  await t.rejects(create(bad), {
    code: 'validation_failed',
    details: {
      fields: {
        name: 'must have 1 to 100 characters',
        scopes: 'must be one or more of read, play, libraries, admin',
        expires_at: 'must be a time in the future',
      },
    },
  })
  for (const input of [{ scopes: [] }, { expiresAt: new Date('x') }, { name: 'x'.repeat(101) }]) {
    await t.rejects(create(input), { code: 'validation_failed' })
  }
  t.strictSame(await listApiKeys(services, {}), [])
})

void t.test('only administrators give the scopes libraries and admin', async (t) => {
  const { make, create } = await setup(t)
  const root = await make('root', true)
  for (const scope of ['libraries', 'admin']) {
    await t.rejects(create({ scopes: ['read', scope] }), { code: 'scope_not_permitted', kind: 'forbidden' })
    t.ok(await create({ account: root, scopes: ['read', scope] }))
  }
})

void t.test('an account has fifty keys, also with many requests at once', async (t) => {
  const { make, create } = await setup(t)
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => create()))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 50)
  await t.rejects(create(), { code: 'too_many_api_keys', kind: 'conflict' })
  t.ok(await create({ account: await make('bob') }))
})

void t.test('users list and revoke their own keys only', async (t) => {
  const { services, make, ann, create } = await setup(t)
  const bob = await make('bob')
  const { apiKey } = await create()
  t.strictSame(await listApiKeys(services, { accountId: bob.id }), [])
  const unknown = { code: 'api_key_not_found', kind: 'not_found' }
  for (const id of [apiKey.id, 'x', '00000000-0000-4000-8000-000000000000']) {
    await t.rejects(revokeApiKey(services, { id, accountId: bob.id }), unknown)
  }
  await revokeApiKey(services, { id: apiKey.id, accountId: ann.id })
  await t.rejects(revokeApiKey(services, { id: apiKey.id }), unknown)
})

void t.test('the last use is written at most once a minute', async (t) => {
  const { services, clock, create } = await setup(t)
  const { key } = await create()
  const { services: counted, asked } = countedDatabase(services)
  const accounts = createKeyAccounts(counted)
  const writes = async (): Promise<number> => {
    asked.length = 0
    await Promise.all(Array.from({ length: 20 }, () => accounts.use({ key, usedFrom })))
    return asked.filter((name) => name === 'query').length
  }
  t.equal(await writes(), 1)
  clock.advance(59)
  t.equal(await writes(), 0)
  clock.advance(1)
  t.equal(await writes(), 1)
  t.match(await listApiKeys(services, {}), [
    { lastUsedAt: clock.now(), lastAddress: usedFrom } satisfies Partial<ApiKey>,
  ])
})

void t.test('a key has six hundred requests a minute, and others are not affected', async (t) => {
  const { services, clock, create } = await setup(t)
  const [{ key }, other] = [await create(), await create()]
  const use = () => services.keyAccounts.use({ key, usedFrom })
  for (let request = 0; request < 600; request += 1) await use()
  await t.rejects(use(), { code: 'rate_limited', kind: 'limited' })
  t.ok(await services.keyAccounts.use({ key: other.key, usedFrom }))
  clock.advance(60)
  t.ok(await use())
})

void t.test('a key needs a sign-in of the last ten minutes', async (t) => {
  const { services, clock, ann, create } = await setup(t)
  const sessionOf = async (): Promise<Session> => ({
    accountId: ann.id,
    sessionId: (await startRefreshSession(services, { accountId: ann.id })).familyId,
  })
  const session = await sessionOf()
  clock.advance(600)
  t.ok(await create({ session }))
  clock.advance(1)
  const refused = { code: 'recent_sign_in_required', kind: 'forbidden' }
  await t.rejects(create({ session }), refused)
  t.ok(await create({ session: await sessionOf() }))

  const device = { clientAddress: usedFrom, isAddressKnown: true }
  const { code, secret } = await openDeviceCode(services, { device: {}, ...device })
  await approveDeviceCode(services, { ...session, profileId: session.accountId, code, clientAddress: usedFrom })
  const { token } = await redeemDeviceCode(services, { code, secret, deviceId: null, ...device })
  const byCode = { accountId: ann.id, sessionId: token.familyId }
  await t.rejects(create({ session: byCode }), refused, 'an old session cannot make a recent one by a code')
  await t.rejects(create({ session: { ...session, sessionId: '00000000-0000-4000-8000-000000000000' } }), {
    code: 'session_ended',
  })
})
