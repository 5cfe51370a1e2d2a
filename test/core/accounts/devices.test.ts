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
  revokeSession,
  rotateRefreshToken,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import { createWebhook } from '../../../src/core/webhooks/index.ts'
import { countedDatabase } from '../../support/counted-work.ts'
import { testDatabase } from '../../support/database.ts'
import { holdLocks } from '../../support/row-locks.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const PHONE = { id: 'phone-1', name: 'Pixel 9', type: 'android' }
const TV = { id: 'tv-1', name: 'Living room', type: 'samsung-tizen' }

async function setup(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const database = await testDatabase(t)
  const services = await testServices(t, { clock, database })
  const make = async (username: string): Promise<string> => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    return (await createAccount(services, input)).id
  }
  return { services, clock, database, ann: await make('ann'), bob: await make('bob') }
}

type Services = Awaited<ReturnType<typeof setup>>['services']

/** Makes news of new devices deliveries. */
async function subscribe(services: Services): Promise<void> {
  const webhook = {
    name: 'Security',
    url: 'https://hooks.example.test/x',
    secret: 'x'.repeat(32),
    events: ['device.added'],
  }
  await createWebhook(services, webhook)
}

/** The names of the devices that were reported as new. */
const namesOfNews = async (services: Services) =>
  services.db.anyFirst(sql.unsafe`select facts ->> 'deviceName' as name from deliveries`)

/** Whether an address may sign in to the account of Ann although others have failed too often. */
async function hasExemption(services: Services, clientAddress: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const wrong = { usernameOrEmail: 'ann', password: 'wrong', clientAddress: `198.51.100.${attempt}` }
    await logIn(services, wrong).catch(() => undefined)
  }
  const right = { usernameOrEmail: 'ann', password: 'correct horse', clientAddress }
  return logIn(services, right).then(
    () => true,
    () => false,
  )
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
  await subscribe(services)
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
  t.match(await news(() => signIn({ id: 'x' })), [{ event: 'device.added' }], 'a reset forgets the devices')
})

void t.test('after a sign-out everywhere the next device is new, and not the first one', async (t) => {
  const { services, ann } = await setup(t)
  await subscribe(services)
  const signIn = (device: object) => startRefreshSession(services, { accountId: ann, device })
  await signIn(TV)
  t.equal(await revokeDevices(services, { accountId: ann }), 1)
  await Promise.all([signIn(TV), signIn(TV), signIn(TV)])
  t.match(await namesOfNews(services), ['Living room'], 'three sign-ins at once are one event')
  t.equal(await revokeDevices(services, { accountId: ann }), 3)
  await signIn(PHONE)
  t.match(await namesOfNews(services), ['Living room', 'Pixel 9'])
})

void t.test('a session that is ended by its id or by a stolen token is revoked like a device', async (t) => {
  const { services, clock, ann, bob } = await setup(t)
  await subscribe(services)
  for (const accountId of [ann, bob]) await startRefreshSession(services, { accountId, device: PHONE })
  const tv = await startRefreshSession(services, { accountId: ann, device: TV, clientAddress: '192.0.2.1' })
  t.strictSame(await namesOfNews(services), ['Living room'])
  await revokeSession(services, tv.familyId)
  await startRefreshSession(services, { accountId: ann, device: TV })
  t.strictSame(await namesOfNews(services), ['Living room', 'Living room'])
  t.equal(await hasExemption(services, '192.0.2.1'), false)

  const stolen = await startRefreshSession(services, { accountId: bob, device: { id: 'stolen' } })
  await rotateRefreshToken(services, stolen)
  clock.advance(11)
  await t.rejects(rotateRefreshToken(services, stolen), { code: 'invalid_refresh_token' })
  const before = (await namesOfNews(services)).length
  await startRefreshSession(services, { accountId: bob, device: { id: 'stolen' } })
  t.equal((await namesOfNews(services)).length, before + 1)
})

void t.test('expired sessions are ended, and not counted: the list does not show them', async (t) => {
  const { services, clock, ann } = await setup(t)
  const old = await startRefreshSession(services, { accountId: ann, device: TV })
  clock.advance(3 * 86_400)
  const hub = await startRefreshSession(services, { accountId: ann, isRestricted: true })
  await startRefreshSession(services, { accountId: ann, device: PHONE })
  clock.advance(5 * 86_400)
  const listed = await listDevices(services, { accountId: ann })
  t.equal(listed.length, 2)
  await t.rejects(revokeDevice(services, { accountId: ann, id: old.familyId }), { code: 'device_not_found' })
  t.equal(await revokeDevices(services, { accountId: ann, exceptSessionId: hub.familyId }), 1)
  t.equal(await revokeDevices(services, { accountId: ann }), 1)
})

void t.test('a revocation locks the account before its sessions', async (t) => {
  const { services, database, ann } = await setup(t)
  const { familyId: id } = await startRefreshSession(services, { accountId: ann, device: TV })
  // A sign-in: the account, then its expired sessions.
  const other = await holdLocks(t, database.connectionUri)
  await other.query('select 1 from users where id = $1 for share', [ann])
  const revoking = revokeDevice(services, { accountId: ann, id })
  await other.waiting(1)
  await other.query('select 1 from refresh_families where id = $1 for update', [id])
  await other.commit()
  await t.resolves(revoking)
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
