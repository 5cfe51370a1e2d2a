import t, { type Test } from 'tap'
import {
  asMainProfile,
  logIn,
  registerAccount,
  resetPassword,
  revokeRefreshSession,
  rotateRefreshToken,
  startRefreshSession,
} from '../../../src/core/accounts/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createEventBus } from '../../../src/core/platform/events/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'
import { cheapPasswordHashing } from '../../support/cheap-password.ts'
import { noSignInProviders } from '../../support/sign-in-providers.ts'

async function setup(t: Test) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock('2026-03-01T12:00:00.750Z')
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const log = await createLogger(loadConfig({ environment: {} }), { destination: { write } })
  const passwordHashing = cheapPasswordHashing()
  const services = {
    config: loadConfig({ environment: {} }),
    db,
    clock,
    log,
    events: createEventBus({ log }),
    passwordHashing,
    signInProviders: noSignInProviders(),
  }
  const account = await registerAccount(services, {
    username: 'ada',
    email: 'ada@example.org',
    password: 'correct horse',
    attempt: { mode: 'open', locality: 'loopback' },
  })
  const first = await startRefreshSession(services, { accountId: account.id })
  return { services, clock, account, first, lines }
}

const clientAddress = '192.0.2.1'

const REFUSED = { code: 'invalid_refresh_token', kind: 'unauthenticated' }

void t.test('a session starts with a token of a week in whole seconds', async (t) => {
  const { account, first } = await setup(t)
  t.match(first, { jti: /^[0-9a-f]{32}$/, accountId: account.id })
  t.strictSame(first.issuedAt, new Date('2026-03-01T12:00:00Z'))
  t.equal(first.expiresAt.getTime() - first.issuedAt.getTime(), 604_800_000)
})

void t.test('a token is used once and returns its successor', async (t) => {
  const { services, clock, account, first } = await setup(t)
  clock.advance(60)
  const second = await rotateRefreshToken(services, first)
  t.strictSame(second.account, asMainProfile(account))
  t.equal(second.token.familyId, first.familyId)
  t.not(second.token.jti, first.jti)
  clock.advance(60)
  t.ok(await rotateRefreshToken(services, second.token))
})

void t.test('within ten seconds a used token returns exactly the same successor', async (t) => {
  const { services, clock, first } = await setup(t)
  const { token } = await rotateRefreshToken(services, first)
  clock.advance(10)
  t.strictSame((await rotateRefreshToken(services, first)).token, token)
})

void t.test('later it revokes the whole family, including its newest token', async (t) => {
  const { services, clock, first } = await setup(t)
  const { token } = await rotateRefreshToken(services, first)
  clock.advance(11)
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
  await t.rejects(rotateRefreshToken(services, token), REFUSED, 'the successor as well')
})

void t.test('a clock that is set back does not extend the grace period', async (t) => {
  const { services, clock, first } = await setup(t)
  await rotateRefreshToken(services, first)
  clock.advance(-7200)
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
})

void t.test('a reused token logs one warning with account and family, without the token (JWT-10)', async (t) => {
  const { services, clock, account, first, lines } = await setup(t)
  const { token } = await rotateRefreshToken(services, first)
  clock.advance(10)
  await rotateRefreshToken(services, first)
  t.strictSame(lines, [], 'none within the grace')
  clock.advance(1)
  for (const used of [first, token, first]) await t.rejects(rotateRefreshToken(services, used), REFUSED)
  t.equal(lines.length, 1)
  t.match(lines[0], { level: 'warning', accountId: account.id, familyId: first.familyId })
  t.notMatch(JSON.stringify(lines), new RegExp(`${first.jti}|${token.jti}`))
})

void t.test('another family of the same account is not affected', async (t) => {
  const { services, clock, account, first } = await setup(t)
  const other = await startRefreshSession(services, { accountId: account.id })
  await rotateRefreshToken(services, first)
  clock.advance(60)
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
  t.ok(await rotateRefreshToken(services, other))
})

void t.test('twenty concurrent uses return one successor', async (t) => {
  const { services, first } = await setup(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => rotateRefreshToken(services, first)))
  t.equal(new Set(answers.map(({ token }) => token.jti)).size, 1)
})

void t.test('a token expires to the second', async (t) => {
  const { services, clock, first } = await setup(t)
  clock.advance(604_799)
  const { token } = await rotateRefreshToken(services, first)
  clock.advance(604_801)
  await t.rejects(rotateRefreshToken(services, token), REFUSED)
})

void t.test('unknown and malformed tokens are refused', async (t) => {
  const { services } = await setup(t)
  await t.rejects(rotateRefreshToken(services, { jti: '0123456789abcdef'.repeat(2) }), REFUSED)
  await t.rejects(rotateRefreshToken(services, { jti: "' or true --" }), REFUSED)
  await t.rejects(rotateRefreshToken(services, { jti: 'a\0b' }), REFUSED)
})

void t.test('logging out ends the family and is idempotent', async (t) => {
  const { services, first } = await setup(t)
  await revokeRefreshSession(services, first)
  await revokeRefreshSession(services, first)
  await revokeRefreshSession(services, { jti: 'unknown' })
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
})

void t.test('a disabled account gets no successor and no login', async (t) => {
  const { services, first } = await setup(t)
  const { sql } = await import('slonik')
  await services.db.query(sql.unsafe`update users set status = 'disabled'`)
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
  await t.rejects(logIn(services, { usernameOrEmail: 'ada', password: 'correct horse', clientAddress }), {
    code: 'account_disabled',
  })
  await t.rejects(logIn(services, { usernameOrEmail: 'ada', password: 'wrong', clientAddress }), {
    code: 'invalid_credentials',
  })
})

void t.test('resetting a password ends every session and the old password', async (t) => {
  const { services, first } = await setup(t)
  const { account, generatedPassword } = await resetPassword(services, { usernameOrEmail: 'ADA@example.org' })
  t.equal(account.username, 'ada')
  await t.rejects(rotateRefreshToken(services, first), REFUSED)
  await t.rejects(logIn(services, { usernameOrEmail: 'ada', password: 'correct horse', clientAddress }), {
    code: 'invalid_credentials',
  })
  t.ok(await logIn(services, { usernameOrEmail: 'ada', password: generatedPassword ?? '', clientAddress }))
  t.notOk(
    'generatedPassword' in (await resetPassword(services, { usernameOrEmail: 'ada', password: 'a new password' })),
  )
  t.ok(await logIn(services, { usernameOrEmail: 'ada', password: 'a new password', clientAddress }))
  await t.rejects(resetPassword(services, { usernameOrEmail: 'ada', password: 'short' }), {
    code: 'validation_failed',
    details: { fields: { password: 'must be at least 8 characters long' } },
  })
  await t.rejects(resetPassword(services, { usernameOrEmail: 'nobody' }), { code: 'account_not_found' })
})

void t.test('expired tokens and families are deleted', async (t) => {
  const { services, clock, account, first } = await setup(t)
  let token = first
  for (let day = 0; day < 20; day += 1) {
    clock.advance(86_400)
    token = (await rotateRefreshToken(services, token)).token
  }
  const { sql } = await import('slonik')
  const count = () => services.db.oneFirst(sql.unsafe`select count(*) from refresh_tokens`)
  t.ok(Number(await count()) <= 8, 'those of a week')
  clock.advance(30 * 86_400)
  await startRefreshSession(services, { accountId: account.id })
  t.equal(Number(await count()), 1)
})

void t.test('an adopted session is renewed by its cookie only', async (t) => {
  const { services, first, lines } = await setup(t)
  await t.rejects(rotateRefreshToken(services, { ...first, presentedIn: 'cookie' }), REFUSED, 'not before')
  const { token } = await rotateRefreshToken(services, { ...first, presentedIn: 'adoption' })
  for (const presentedIn of ['body', 'adoption'] as const)
    await t.rejects(rotateRefreshToken(services, { ...token, presentedIn }), REFUSED, presentedIn)
  await t.rejects(rotateRefreshToken(services, first), REFUSED, 'the former token in a body')
  t.strictSame((await rotateRefreshToken(services, { ...first, presentedIn: 'adoption' })).token, token, 'a lost reply')
  const { token: next } = await rotateRefreshToken(services, { ...token, presentedIn: 'cookie' })
  t.not(next.jti, token.jti)
  t.strictSame((await rotateRefreshToken(services, { ...token, presentedIn: 'cookie' })).token, next, 'two tabs')
  t.strictSame(lines, [], 'nothing was used a second time')
})

void t.test('a token that a body has used is not adopted, and its session goes on', async (t) => {
  const { services, first } = await setup(t)
  const { token } = await rotateRefreshToken(services, first)
  await t.rejects(rotateRefreshToken(services, { ...first, presentedIn: 'adoption' }), REFUSED)
  t.ok(await rotateRefreshToken(services, token))
})

void t.test(
  'of an adoption and a refresh at the same time, one wins, and the session has one way to go on',
  async (t) => {
    const { services, first } = await setup(t)
    const ways = ['adoption', 'body', 'adoption', 'body'] as const
    const answers = await Promise.allSettled(
      ways.map((presentedIn) => rotateRefreshToken(services, { ...first, presentedIn })),
    )
    const winners = ways.filter((_, index) => answers[index]?.status === 'fulfilled')
    t.equal(new Set(winners).size, 1, winners.join())
  },
)

void t.test('a used cookie that comes back ends the session, also when it comes in a body', async (t) => {
  const { services, first, clock, lines } = await setup(t)
  const { token } = await rotateRefreshToken(services, { ...first, presentedIn: 'adoption' })
  const { token: next } = await rotateRefreshToken(services, { ...token, presentedIn: 'cookie' })
  clock.advance(11)
  await t.rejects(rotateRefreshToken(services, token), REFUSED)
  await t.rejects(rotateRefreshToken(services, { ...next, presentedIn: 'cookie' }), REFUSED)
  t.equal(lines.length, 1)
})
