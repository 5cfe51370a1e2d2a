import { sql } from 'slonik'
import t from 'tap'
import { resetPassword } from '../../../../src/core/accounts/index.ts'
import { finishPasskeyRegistration, relyingPartyFor } from '../../../../src/core/passkeys/index.ts'
import { pick } from '../../../support/app.ts'
import { CREDENTIALS, countOf, newAuthenticator, REGISTER_FINISH, startPasskeyApp } from '../../../support/passkeys.ts'

void t.test('a token from before a password reset registers no passkey', async (t) => {
  const app = await startPasskeyApp(t)
  const challenge = await app.registerChallenge(app.user)
  await resetPassword(app.services, { usernameOrEmail: 'user' })
  const body = { credential: newAuthenticator().create(challenge), challenge }
  const answer = await app.ask('POST', REGISTER_FINISH, { token: app.user.token, body })
  t.match(answer, { status: 401, json: { code: 'auth.required' } })
  t.equal(await countOf(app, 'passkeys'), 0)
})

void t.test('a reset during a registration leaves no passkey', async (t) => {
  const app = await startPasskeyApp(t)
  const { services, user, tokens } = app
  const challenge = await app.registerChallenge(user)
  const { sid: sessionId } = tokens.verifyAccess(user.token)
  // The request has passed the guard.
  await resetPassword(services, { usernameOrEmail: 'user' })
  const registration = {
    account: user.account,
    sessionId,
    relyingParty: relyingPartyFor(services, undefined),
    body: { credential: newAuthenticator().create(challenge), challenge },
  }
  await t.rejects(finishPasskeyRegistration(services, registration), { code: 'session_ended', kind: 'unauthenticated' })
  t.equal(await countOf(app, 'passkeys'), 0)
})

void t.test('the end of a session waits for running registrations', async (t) => {
  const app = await startPasskeyApp(t)
  const registering = app.register(app.user)
  const resetting = resetPassword(app.services, { usernameOrEmail: 'user' })
  const [{ status }] = await Promise.all([registering, resetting])
  // Either order is valid. A passkey without a reply, or a reply without a passkey, is not.
  t.equal(await countOf(app, 'passkeys'), status === 200 ? 1 : 0)
})

void t.test('a new passkey is an event for webhooks and channels', async (t) => {
  const app = await startPasskeyApp(t)
  const body = {
    name: 'Security',
    url: 'https://hooks.example.test/x',
    secret: 'x'.repeat(32),
    events: ['passkey.added'],
  }
  t.equal((await app.ask('POST', '/api/v1/admin/webhooks', { token: app.admin.token, body })).status, 201)
  t.equal((await app.register(app.user)).status, 200)
  const facts = await app.services.db.any(sql.unsafe`select facts from deliveries`)
  t.match(facts, [
    { facts: { event: 'passkey.added', userId: app.user.account.id, userName: 'user', deviceType: 'platform' } },
  ])
  t.equal((pick((await app.ask('GET', CREDENTIALS, { token: app.user.token })).json, 'credentials') as []).length, 1)
})
