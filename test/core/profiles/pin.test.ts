import t, { type Test } from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createProfile, setPin, verifyPin } from '../../../src/core/profiles/index.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

const MISMATCH = { code: 'profile.pin_mismatch', kind: 'forbidden' }
const LOCKED = { code: 'rate_limited' }
const HOME = '192.0.2.1'

async function setup(t: Test) {
  const clock = movableClock('2026-03-01T12:00:00.000Z')
  const services = await testServices(t, { clock })
  const input = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount(services, input)
  const add = (name: string, pin: string) => createProfile(services, { accountId, fields: { name }, pin })
  const profile = await add('Parents', '2580')
  const verify = (pin: string, { clientAddress = HOME, of = profile } = {}) =>
    verifyPin(services, { profile: of, pin, clientAddress })
  const advance = (seconds: number) => clock.advance(seconds)
  return { services, accountId, add, profile, verify, advance }
}

void t.test('a PIN is 4 or 6 digits, and everything else is a wrong one', async (t) => {
  const { services, accountId, profile, verify } = await setup(t)
  await verify('2580')
  for (const pin of ['123', '12345', '1234567', 'abcd', '12 4', '１２３４', '1234\n', '-123', '1e3x', '0x12']) {
    await t.rejects(setPin(services, { id: profile.id, pin }), { code: 'profile.invalid' }, JSON.stringify(pin))
  }
  for (const pin of ['', 'x'.repeat(100_000)]) {
    await t.rejects(verify(pin, { clientAddress: `192.0.2.${20 + (pin.length % 7)}` }), MISMATCH)
  }
  await setPin(services, { id: profile.id, accountId, pin: '135790' })
  await t.rejects(verify('2580'), MISMATCH)
  await verify('135790')
  await setPin(services, { id: profile.id, pin: '' })
  await t.rejects(verify('135790'), { code: 'profile.no_pin', kind: 'conflict' })
})

void t.test('after five wrong PINs a profile accepts none for five minutes, from any address', async (t) => {
  const { verify, add, advance } = await setup(t)
  for (let attempt = 0; attempt < 5; attempt += 1) await t.rejects(verify('0000'), MISMATCH)
  await t.rejects(verify('2580'), LOCKED, 'also the right one')
  await t.rejects(verify('2580', { clientAddress: '203.0.113.9' }), LOCKED)
  await verify('9876', { of: await add('Others', '9876') })
  advance(301)
  await verify('2580')
})

void t.test('attempts at the same time cannot pass the limit together', async (t) => {
  const { verify } = await setup(t)
  const attempts = Array.from({ length: 30 }, (_, number) => verify(String(1000 + number)))
  const outcomes = await Promise.allSettled(attempts)
  const codes = outcomes.map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : '',
  )
  t.ok(codes.filter((code) => code === 'profile.pin_mismatch').length <= 5)
  t.equal(codes.filter((code) => code === '').length, 0)
})

void t.test('twenty wrong PINs in a day lock the profile for the day; refused attempts are not counted', async (t) => {
  const { verify, advance } = await setup(t)
  for (let round = 0; round < 4; round += 1) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await t.rejects(verify('0000', { clientAddress: `198.51.100.${round}` }), MISMATCH)
    }
    await t.rejects(verify('0000', { clientAddress: `198.51.100.${round}` }), LOCKED)
    advance(301)
  }
  await t.rejects(verify('2580'), LOCKED)
  advance(86_400)
  await verify('2580')
})

void t.test('an address that guesses at many profiles is locked after twenty', async (t) => {
  const { verify, add } = await setup(t)
  for (let number = 0; number < 5; number += 1) {
    const of = await add(`Profile ${number}`, '2468')
    for (let attempt = 0; attempt < 4; attempt += 1) await t.rejects(verify('0000', { of }), MISMATCH)
  }
  await t.rejects(verify('2580'), LOCKED)
  await verify('2580', { clientAddress: '203.0.113.9' })
})

void t.test('right PINs are not counted', async (t) => {
  const { verify } = await setup(t)
  for (let attempt = 0; attempt < 25; attempt += 1) await verify('2580')
})

void t.test('a new PIN is not locked by wrong ones of before', async (t) => {
  const { services, verify, profile, advance } = await setup(t)
  for (let round = 0; round < 4; round += 1) {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await t.rejects(verify('0000', { clientAddress: `198.51.100.${round}` }), MISMATCH)
    }
    advance(301)
  }
  await t.rejects(verify('2580'), LOCKED)
  await setPin(services, { id: profile.id, pin: '1470' })
  await verify('1470')
})
