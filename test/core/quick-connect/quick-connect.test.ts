import { randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import {
  createAccount,
  disableAccount,
  listDevices,
  resetPassword,
  revokeDevices,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import {
  approveDeviceCode,
  denyDeviceCode,
  getWaitingDevice,
  openDeviceCode,
  pollDeviceCode,
  redeemDeviceCode,
} from '../../../src/core/quick-connect/index.ts'
import { testDatabase } from '../../support/database.ts'
import { holdLocks } from '../../support/row-locks.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const TV = { id: 'tv-1', name: 'Living room', type: 'samsung-tizen' }
const TV_ADDRESS = '192.0.2.1'
const PHONE_ADDRESS = '192.0.2.2'

async function setup(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const database = await testDatabase(t)
  const services = await testServices(t, { clock, database })
  const signIn = async (username: string) => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    const { id: accountId } = await createAccount(services, input)
    const { familyId: sessionId } = await startRefreshSession(services, { accountId })
    return { accountId, profileId: accountId, sessionId, clientAddress: PHONE_ADDRESS }
  }
  const open = async (device: object = TV, clientAddress = TV_ADDRESS) => {
    const opened = await openDeviceCode(services, { device, clientAddress, isAddressKnown: true })
    const { code, secret } = opened
    return { ...opened, poll: { code, secret, deviceId: null, clientAddress, isAddressKnown: true } }
  }
  return { services, clock, database, open, signIn, ann: await signIn('ann'), bob: await signIn('bob') }
}

const UNKNOWN = { code: 'code_not_found', kind: 'not_found' }
const EXPIRED = { code: 'expired_token', kind: 'invalid' }

void t.test('a person sees the device, approves it, and the device is signed in once', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code, poll, expiresAt } = await open()
  t.match(await pollDeviceCode(services, poll), { status: 'pending', pollSeconds: 5, isTooSoon: false })
  t.strictSame(
    await getWaitingDevice(services, { ...ann, code: `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}` }),
    {
      code,
      deviceName: 'Living room',
      deviceType: 'samsung-tizen',
      address: TV_ADDRESS,
      expiresAt,
      isSameAddress: false,
    },
  )
  t.match(await getWaitingDevice(services, { ...ann, code, clientAddress: TV_ADDRESS }), { isSameAddress: true })
  await approveDeviceCode(services, { ...ann, code })
  await approveDeviceCode(services, { ...ann, code })
  t.match(await pollDeviceCode(services, poll), { status: 'approved' })
  const { account, token } = await redeemDeviceCode(services, poll)
  t.equal(account.id, ann.accountId)
  const device = (await listDevices(services, ann)).find(({ id }) => id === token.familyId)
  t.match(device, { deviceName: 'Living room', deviceType: 'samsung-tizen', address: TV_ADDRESS })
  await t.rejects(redeemDeviceCode(services, poll), EXPIRED)
  t.match(await pollDeviceCode(services, poll), { status: 'expired' })
  await t.rejects(approveDeviceCode(services, { ...ann, code }), UNKNOWN)
})

void t.test('of twenty requests for the tokens at once one gets them', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code, poll } = await open()
  await approveDeviceCode(services, { ...ann, code })
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => redeemDeviceCode(services, poll)))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal((await listDevices(services, ann)).length, 2)
})

void t.test('of two approvals at once one counts, and the device belongs to that account', async (t) => {
  const { services, open, ann, bob } = await setup(t)
  const { code, poll } = await open()
  const answers = await Promise.allSettled([ann, bob].map((who) => approveDeviceCode(services, { ...who, code })))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  const winner = answers[0]?.status === 'fulfilled' ? ann : bob
  t.equal((await redeemDeviceCode(services, poll)).account.id, winner.accountId)
})

void t.test('a denied device is told so, and the code cannot be approved afterwards', async (t) => {
  const { services, open, ann, bob } = await setup(t)
  const { code, poll } = await open()
  await denyDeviceCode(services, { ...bob, code })
  t.match(await pollDeviceCode(services, poll), { status: 'denied' })
  await t.rejects(redeemDeviceCode(services, poll), { code: 'access_denied' })
  await t.rejects(approveDeviceCode(services, { ...ann, code }), UNKNOWN)
  await t.rejects(denyDeviceCode(services, { ...ann, code }), UNKNOWN)
})

void t.test('a code expires to the second for the person and the device', async (t) => {
  const { services, clock, open, ann } = await setup(t)
  const { code, poll } = await open()
  clock.advance(599)
  t.ok(await getWaitingDevice(services, { ...ann, code }))
  await approveDeviceCode(services, { ...ann, code })
  clock.advance(1)
  await t.rejects(getWaitingDevice(services, { ...ann, code }), UNKNOWN)
  t.match(await pollDeviceCode(services, poll), { status: 'expired' })
  await t.rejects(redeemDeviceCode(services, poll), EXPIRED)
})

void t.test('another device learns nothing: neither with the code, nor with a wrong secret', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code, secret } = await open()
  await approveDeviceCode(services, { ...ann, code })
  const own = { code, deviceId: TV.id, clientAddress: TV_ADDRESS, isAddressKnown: true }
  const foreign = [
    { ...own, deviceId: null },
    { ...own, deviceId: 'tv-2' },
    { ...own, clientAddress: PHONE_ADDRESS },
    { ...own, isAddressKnown: false },
    { ...own, secret: '' },
    { ...own, secret: `${secret}A` },
    { ...own, secret: (await open()).secret },
    { ...own, code: 'BCDFGHJK', secret },
    { ...own, code: '%_' },
  ]
  const unknown = await pollDeviceCode(services, { ...own, code: 'ZZZZZZZZ' })
  for (const poll of foreign) {
    t.strictSame(await pollDeviceCode(services, poll), unknown)
    await t.rejects(redeemDeviceCode(services, poll), EXPIRED)
  }
  t.match(await pollDeviceCode(services, own), { status: 'approved' }, 'the device that asked needs no secret')
  t.equal((await redeemDeviceCode(services, own)).account.id, ann.accountId)
})

void t.test('a device without an id needs its secret', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code, poll } = await open({ name: 'Browser' })
  await approveDeviceCode(services, { ...ann, code })
  await t.rejects(redeemDeviceCode(services, { ...poll, secret: undefined }), EXPIRED)
  t.ok(await redeemDeviceCode(services, poll))
})

void t.test('a device that has used its secret needs it from then on', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code, poll } = await open()
  const withoutSecret = { ...poll, secret: undefined, deviceId: TV.id }
  t.match(await pollDeviceCode(services, { ...poll, secret: 'wrong' }), { status: 'expired' })
  t.match(await pollDeviceCode(services, withoutSecret), { status: 'pending' }, 'a wrong secret changes nothing')
  t.match(await pollDeviceCode(services, poll), { status: 'pending' })
  await approveDeviceCode(services, { ...ann, code })
  t.match(await pollDeviceCode(services, withoutSecret), { status: 'expired' })
  await t.rejects(redeemDeviceCode(services, withoutSecret), EXPIRED)
  t.ok(await redeemDeviceCode(services, poll))
})

void t.test('a device behind an unknown proxy needs its secret: others share its address', async (t) => {
  const { services, ann } = await setup(t)
  const caller = { clientAddress: TV_ADDRESS, isAddressKnown: false }
  const { code, secret } = await openDeviceCode(services, { device: TV, ...caller })
  await approveDeviceCode(services, { ...ann, code })
  const withoutSecret = { code, deviceId: TV.id, ...caller, isAddressKnown: true }
  await t.rejects(redeemDeviceCode(services, withoutSecret), EXPIRED)
  t.ok(await redeemDeviceCode(services, { ...withoutSecret, secret, isAddressKnown: false }))
})

void t.test('a device that asks too often waits five seconds longer each time, a minute at most', async (t) => {
  const { services, clock, open } = await setup(t)
  const { poll } = await open()
  t.match(await pollDeviceCode(services, poll), { pollSeconds: 5, isTooSoon: false })
  clock.advance(4)
  t.match(await pollDeviceCode(services, poll), { pollSeconds: 5, isTooSoon: false }, 'a second of leeway')
  clock.advance(3)
  await t.rejects(redeemDeviceCode(services, poll), { code: 'slow_down', details: { interval: 10 } })
  clock.advance(5)
  t.match(await pollDeviceCode(services, poll), { pollSeconds: 15, isTooSoon: true })
  clock.advance(15)
  await t.rejects(redeemDeviceCode(services, poll), { code: 'authorization_pending', details: { interval: 15 } })
  for (let number = 0; number < 20; number += 1) await pollDeviceCode(services, poll)
  t.match(await pollDeviceCode(services, poll), { pollSeconds: 60, isTooSoon: true })
})

void t.test('an address has three open codes, also with many requests at once', async (t) => {
  const { services, clock, open, ann } = await setup(t)
  const answers = await Promise.allSettled(Array.from({ length: 10 }, (_, id) => open({ ...TV, id: `tv-${id}` })))
  t.equal(answers.filter(({ status }) => status === 'fulfilled').length, 3)
  await t.rejects(open({ name: 'Browser' }), { code: 'too_many_codes', kind: 'limited', retryAfterSeconds: 600 })
  t.ok(await open(TV, '192.0.2.9'), 'another address')
  await t.rejects(Promise.all([1, 2, 3, 4].map((last) => open(TV, `2001:db8:1:2::${last}`))), {
    code: 'too_many_codes',
  })
  const code = await services.db.oneFirst(
    sql.unsafe`select code from quick_connect_codes where address = ${TV_ADDRESS} limit 1`,
  )
  await denyDeviceCode(services, { ...ann, code: String(code) })
  t.ok(await open(), 'a denied one makes room')
  clock.advance(600)
  t.ok(await open())
  t.equal(
    await services.db.oneFirst(sql.unsafe`select count(*)::int8 from quick_connect_codes`),
    1,
    'expired ones are deleted',
  )
})

void t.test('a device that asks again gives its earlier code up, and no other device does', async (t) => {
  const { services, open, ann } = await setup(t)
  const first = await open()
  const others = [await open({ name: 'Browser' }), await open({ ...TV, id: 'tv-2' })]
  for (let again = 0; again < 5; again += 1) await open()
  t.match(await pollDeviceCode(services, first.poll), { status: 'expired' })
  await t.rejects(approveDeviceCode(services, { ...ann, code: first.code }), UNKNOWN)
  for (const { poll } of others) t.match(await pollDeviceCode(services, poll), { status: 'pending' })
  await t.rejects(open({ name: 'Browser' }), { code: 'too_many_codes' }, 'without an id it is another device')
  const approved = await open()
  await approveDeviceCode(services, { ...ann, code: approved.code })
  await t.rejects(open(), { code: 'too_many_codes' }, 'an approved code is not given up')
  t.ok(await redeemDeviceCode(services, approved.poll))
})

void t.test('behind an unknown proxy no device gives the code of another one up', async (t) => {
  const { services } = await setup(t)
  const input = { device: TV, clientAddress: TV_ADDRESS, isAddressKnown: false }
  const { code, secret } = await openDeviceCode(services, input)
  await openDeviceCode(services, input)
  const poll = { ...input, code, secret, deviceId: TV.id }
  t.match(await pollDeviceCode(services, poll), { status: 'pending' })
})

void t.test('an account has five wrong entries, and then the right code is refused too', async (t) => {
  const { services, clock, open, ann, bob } = await setup(t)
  const { code } = await open()
  const guesses = Array.from({ length: 20 }, () => getWaitingDevice(services, { ...ann, code: 'ZZZZZZZZ' }))
  const codes = (await Promise.allSettled(guesses)).map((one) => (one as { reason: { code: string } }).reason.code)
  t.equal(codes.filter((word) => word === 'code_not_found').length, 5)
  t.equal(codes.filter((word) => word === 'rate_limited').length, 15)
  await t.rejects(approveDeviceCode(services, { ...ann, code, clientAddress: '198.51.100.1' }), {
    code: 'rate_limited',
  })
  t.ok(await getWaitingDevice(services, { ...bob, code, clientAddress: '198.51.100.1' }))
  clock.advance(900)
  await t.rejects(approveDeviceCode(services, { ...ann, code }), UNKNOWN, 'the code has expired meanwhile')
})

void t.test('an address has twenty wrong entries over all accounts', async (t) => {
  const { services, open, signIn } = await setup(t)
  const { code } = await open()
  for (const name of ['one', 'two', 'three', 'four']) {
    const who = await signIn(name)
    for (let guess = 0; guess < 5; guess += 1) {
      await t.rejects(denyDeviceCode(services, { ...who, code: 'ZZZZZZZZ' }), UNKNOWN)
    }
  }
  const fresh = await signIn('five')
  await t.rejects(getWaitingDevice(services, { ...fresh, code }), { code: 'rate_limited' })
  t.ok(await getWaitingDevice(services, { ...fresh, code, clientAddress: '198.51.100.1' }))
})

void t.test('right entries do not count', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code } = await open()
  for (let entry = 0; entry < 30; entry += 1) t.ok(await getWaitingDevice(services, { ...ann, code }))
})

void t.test('an approval ends with the session that gave it, and with the account', async (t) => {
  const { services, open, ann, bob } = await setup(t)
  const [first, second, third] = [await open(), await open({ ...TV, id: 'tv-2' }), await open({ ...TV, id: 'tv-3' })]
  await approveDeviceCode(services, { ...ann, code: first.code })
  await revokeDevices(services, { accountId: ann.accountId })
  await t.rejects(redeemDeviceCode(services, first.poll), EXPIRED)
  await t.rejects(approveDeviceCode(services, { ...ann, code: second.code }), { code: 'session_ended' })
  await approveDeviceCode(services, { ...bob, code: second.code })
  await resetPassword(services, { usernameOrEmail: 'bob' })
  await t.rejects(redeemDeviceCode(services, second.poll), EXPIRED)
  const { familyId: sessionId } = await startRefreshSession(services, { accountId: bob.accountId })
  await approveDeviceCode(services, { ...bob, sessionId, code: third.code })
  await disableAccount(services, { usernameOrEmail: 'bob' })
  await t.rejects(redeemDeviceCode(services, third.poll), EXPIRED)
})

void t.test('a password reset during the sign-in leaves no session of the device', async (t) => {
  const { services, clock, database, open, ann } = await setup(t)
  const { code, poll } = await open()
  await approveDeviceCode(services, { ...ann, code })
  // A reset has changed the password, and has not yet ended the sessions.
  const reset = await holdLocks(t, database.connectionUri)
  await reset.query('update users set updated_at = updated_at where id = $1', [ann.accountId])
  const redeeming = t.rejects(redeemDeviceCode(services, poll), EXPIRED)
  await reset.waiting(1)
  const end = `update refresh_families set revoked_at = $1, revoked_reason = 'password_reset' where user_id = $2`
  await reset.query(end, [clock.now(), ann.accountId])
  await reset.commit()
  await redeeming
  t.strictSame(await listDevices(services, ann), [])
})

void t.test('a session of the hub approves nothing: the device would get more rights than it has', async (t) => {
  const { services, open, ann } = await setup(t)
  const { familyId: sessionId } = await startRefreshSession(services, { accountId: ann.accountId, isRestricted: true })
  const { code, poll } = await open()
  await t.rejects(approveDeviceCode(services, { ...ann, sessionId, code }), { code: 'full_session_required' })
  t.match(await pollDeviceCode(services, poll), { status: 'pending' })
})

void t.test('the device and the person may speak to two processes', async (t) => {
  const { services, clock, database, open, ann } = await setup(t)
  const other = await testServices(t, { clock, database })
  const { code, poll } = await open()
  await approveDeviceCode(other, { ...ann, code })
  t.equal((await redeemDeviceCode(services, poll)).account.id, ann.accountId)
})

void t.test('a profile that is deleted at the moment is unknown', async (t) => {
  const { services, open, ann } = await setup(t)
  const { code } = await open()
  const profileId = randomUUID()
  await t.rejects(approveDeviceCode(services, { ...ann, code, profileId }), { code: 'profile_not_found' })
  await t.rejects(startRefreshSession(services, { accountId: ann.accountId, profileId }), { code: 'profile_not_found' })
})
