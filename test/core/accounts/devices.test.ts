import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createAccount,
  createFindSessionAccount,
  listDevices,
  logIn,
  resetPassword,
  revokeDevice,
  revokeDevices,
  rotateRefreshToken,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import { createWebhook } from '../../../src/core/webhooks/index.ts'
import { countedDatabase } from '../../support/counted-work.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const PHONE = { id: 'phone-1', name: 'Pixel 9', type: 'android' }
const TV = { id: 'tv-1', name: 'Living room', type: 'samsung-tizen' }

async function setup(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const services = await testServices(t, { clock })
  const make = async (username: string): Promise<string> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    return (await createAccount(services, input)).id
  }
  return { services, clock, ann: await make('ann'), bob: await make('bob') }
}

void t.test('a session stores its device, address and last use', async (t) => {
  const { services, clock, ann } = await setup(t)
  const first = await startRefreshSession(services, { accountId: ann, device: TV, clientAddress: '192.0.2.1' })
  clock.advance(30)
  const second = await startRefreshSession(services, { accountId: ann, device: PHONE, clientAddress: '2001:db8::9' })
  const devices = await listDevices(services, { accountId: ann })
  t.match(devices, [
    { id: second.familyId, deviceName: 'Pixel 9', deviceType: 'android', address: '2001:db8::9' },
    { id: first.familyId, deviceName: 'Living room', deviceType: 'samsung-tizen', address: '192.0.2.1' },
  ])
  clock.advance(3600)
  await rotateRefreshToken(services, { jti: first.jti, clientAddress: '192.0.2.7' })
  t.match((await listDevices(services, { accountId: ann }))[0], {
    id: first.familyId,
    address: '192.0.2.7',
    lastUsedAt: clock.now(),
  })
})

void t.test('the last use is written at most once a minute, also by many requests at once', async (t) => {
  const { services, clock, ann } = await setup(t)
  const { familyId: sessionId } = await startRefreshSession(services, { accountId: ann, clientAddress: '192.0.2.1' })
  const { services: counted, asked } = countedDatabase(services)
  const find = createFindSessionAccount(counted)
  const use = () => find({ accountId: ann, sessionId, usedFrom: '192.0.2.5' })
  const writesOf = async (work: () => Promise<unknown>): Promise<number> => {
    asked.length = 0
    await work()
    return asked.filter((name) => name === 'query').length
  }
  clock.advance(59)
  t.equal(await writesOf(() => Promise.all(Array.from({ length: 20 }, use))), 0)
  clock.advance(1)
  t.equal(await writesOf(() => Promise.all(Array.from({ length: 20 }, use))), 1)
  t.equal(await writesOf(use), 0)
  t.match(await listDevices(services, { accountId: ann }), [{ address: '192.0.2.5', lastUsedAt: clock.now() }])
  clock.advance(60)
  t.equal(await writesOf(() => find({ accountId: ann, sessionId })), 0, 'a check is no use')
})

void t.test('a request is answered if its use cannot be stored', async (t) => {
  const { services, clock, ann } = await setup(t)
  const { familyId: sessionId } = await startRefreshSession(services, { accountId: ann })
  clock.advance(60)
  // Longer than the column permits.
  const account = await services.findSessionAccount({ accountId: ann, sessionId, usedFrom: 'x'.repeat(65) })
  t.equal(account?.id, ann)
})

void t.test('a revoked device is signed out, and no other one', async (t) => {
  const { services, ann, bob } = await setup(t)
  const tv = await startRefreshSession(services, { accountId: ann, device: TV })
  const phone = await startRefreshSession(services, { accountId: ann, device: PHONE })
  const other = await startRefreshSession(services, { accountId: bob, device: TV })
  await revokeDevice(services, { accountId: ann, id: tv.familyId })
  t.equal(await services.findSessionAccount({ accountId: ann, sessionId: tv.familyId }), undefined)
  await t.rejects(rotateRefreshToken(services, { jti: tv.jti }), { code: 'invalid_refresh_token' })
  t.ok(await rotateRefreshToken(services, { jti: phone.jti }))
  t.ok(await rotateRefreshToken(services, { jti: other.jti }))
  const unknown = { code: 'device_not_found', kind: 'not_found' }
  for (const id of [tv.familyId, other.familyId, 'x', '00000000-0000-4000-8000-000000000000']) {
    await t.rejects(revokeDevice(services, { accountId: ann, id }), unknown)
  }
})

void t.test('all devices but one are revoked', async (t) => {
  const { services, ann, bob } = await setup(t)
  const kept = await startRefreshSession(services, { accountId: ann, device: TV })
  for (const device of [PHONE, {}]) await startRefreshSession(services, { accountId: ann, device })
  await startRefreshSession(services, { accountId: bob, device: TV })
  t.equal(await revokeDevices(services, { accountId: ann, exceptSessionId: kept.familyId }), 2)
  t.match(await listDevices(services, { accountId: ann }), [{ id: kept.familyId }])
  t.equal((await listDevices(services, { accountId: bob })).length, 1)
  t.equal(await revokeDevices(services, { accountId: ann }), 1)
})

void t.test('the address of a revoked device has no exemption from the lock of the account', async (t) => {
  const { services, ann } = await setup(t)
  const clientAddress = '192.0.2.1'
  await startRefreshSession(services, { accountId: ann, clientAddress })
  await revokeDevices(services, { accountId: ann })
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const wrong = { usernameOrEmail: 'ann', password: 'wrong', clientAddress: `198.51.100.${attempt}` }
    await t.rejects(logIn(services, wrong), { code: 'invalid_credentials' })
  }
  const right = { usernameOrEmail: 'ann', password: 'correct horse', clientAddress }
  await t.rejects(logIn(services, right), { code: 'rate_limited' })
})

void t.test('a sign-in from a device that the account has not used is an event', async (t) => {
  const { services, clock, ann } = await setup(t)
  const webhook = {
    name: 'Security',
    url: 'https://hooks.example.test/x',
    secret: 'x'.repeat(32),
    events: ['device.added'],
  }
  await createWebhook(services, webhook)
  const signIn = async (device: object, clientAddress = '192.0.2.1'): Promise<string> =>
    (await startRefreshSession(services, { accountId: ann, device, clientAddress })).familyId
  const news = async (work: () => Promise<unknown>) => {
    await services.db.query(sql.unsafe`delete from deliveries`)
    await work()
    return services.db.anyFirst(sql.unsafe`select facts from deliveries`)
  }
  t.strictSame(await news(() => signIn(TV)), [], 'the first device of an account')
  t.strictSame(await news(() => signIn(TV, '192.0.2.9')), [], 'the same device elsewhere')
  t.strictSame(await news(() => signIn(PHONE)), [
    {
      event: 'device.added',
      userId: ann,
      userName: 'ann',
      deviceName: 'Pixel 9',
      deviceType: 'android',
      address: '192.0.2.1',
    },
  ])
  clock.advance(60 * 86_400)
  t.strictSame(await news(() => signIn(PHONE)), [], 'known after its session has expired')
  const [device] = await listDevices(services, { accountId: ann })
  await revokeDevice(services, { accountId: ann, id: device?.id ?? '' })
  t.match(await news(() => signIn(PHONE)), [{ deviceName: 'Pixel 9' }], 'a revoked device is new again')
  const both = await news(() => Promise.all([signIn({ id: 'x' }), signIn({ id: 'x' })]))
  t.equal(both.length, 1, 'two sign-ins at once are one event')
  t.strictSame(await news(() => resetPassword(services, { usernameOrEmail: 'ann' })), [])
})

void t.test('an account knows its newest 200 devices', async (t) => {
  const { services, clock, ann } = await setup(t)
  for (let number = 0; number < 205; number += 1) {
    clock.advance(1)
    await startRefreshSession(services, { accountId: ann, device: { id: String(number) } })
  }
  const count = await services.db.oneFirst(sql.unsafe`select count(*)::int8 from known_devices where user_id = ${ann}`)
  t.equal(count, 200)
})
