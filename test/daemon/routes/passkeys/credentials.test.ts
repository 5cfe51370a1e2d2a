import { sql } from 'slonik'
import t from 'tap'
import { pick } from '../../../support/app.ts'
import {
  CREDENTIALS,
  LOGIN_START,
  newAuthenticator,
  REGISTER_START,
  startPasskeyApp,
} from '../../../support/passkeys.ts'

const NOT_OWNED = '{"error":"Credential not found or not owned by user"}'

const pathOf = (credentialId: Buffer): string => `${CREDENTIALS}/${encodeURIComponent(credentialId.toString('base64'))}`

void t.test('a passkey of another account cannot be removed, and looks like an unknown one (AZ-09)', async (t) => {
  const { ask, user, admin, register } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  const foreign = await ask('DELETE', pathOf(authenticator.credentialId), { token: admin.token })
  const unknown = await ask('DELETE', pathOf(newAuthenticator().credentialId), { token: admin.token })
  t.match(foreign, { status: 404, text: NOT_OWNED })
  t.match(unknown, { status: foreign.status, text: foreign.text })
  const names = ({ headers }: typeof foreign) => [...headers.keys()]
  t.strictSame(names(unknown), names(foreign))
  t.equal((await ask('DELETE', pathOf(authenticator.credentialId), { token: user.token })).status, 200, 'it is there')
})

void t.test('a user lists own passkeys only (AZ-09)', async (t) => {
  const { ask, user, admin, register } = await startPasskeyApp(t)
  await register(user)
  await register(user)
  await register(admin)
  for (const [caller, count] of [
    [user, 2],
    [admin, 1],
  ] as const) {
    const { json } = await ask('GET', CREDENTIALS, { token: caller.token })
    const owners = (pick(json, 'credentials') as { user_id: string }[]).map((row) => row.user_id)
    t.strictSame(owners, Array<string>(count).fill(caller.account.id))
  }
})

void t.test('ids with / + = and of the greatest length are removed, in both alphabets (WA-13)', async (t) => {
  const { ask, user, register } = await startPasskeyApp(t)
  const ids = [
    Buffer.from('fffefffbefbe', 'hex'),
    Buffer.from('ffffffffffffffff', 'hex'),
    Buffer.alloc(1, 0xff),
    Buffer.alloc(1023, 0x5a),
    newAuthenticator({ credentialIdBytes: 1023 }).credentialId,
  ]
  t.match(ids[0]?.toString('base64'), /[/+]/)
  t.match(ids[1]?.toString('base64'), /\/.*=$/)
  t.equal(ids.at(-1)?.toString('base64').length, 1364)
  for (const credentialId of ids) {
    for (const path of [pathOf(credentialId), `${CREDENTIALS}/${credentialId.toString('base64url')}`]) {
      t.equal((await register(user, newAuthenticator(), { credentialId })).status, 200)
      t.match(await ask('DELETE', path, { token: user.token }), { status: 200, json: { message: 'Passkey removed' } })
    }
  }
  t.strictSame((await ask('GET', CREDENTIALS, { token: user.token })).json, { credentials: [] })
})

void t.test('a value that is no credential id is not found, without an error (WA-13)', async (t) => {
  const { ask, user } = await startPasskeyApp(t)
  for (const id of [
    '%20',
    'a',
    'A%00AA',
    '..%2f..%2fx',
    '%27%20or%201%3D1',
    '%E2%82%AC',
    'A'.repeat(1500),
    '0',
    'null',
  ]) {
    t.match(await ask('DELETE', `${CREDENTIALS}/${id}`, { token: user.token }), { status: 404, text: NOT_OWNED }, id)
  }
  t.equal((await ask('DELETE', `${CREDENTIALS}/${'A'.repeat(3000)}`, { token: user.token })).status, 414)
})

void t.test('the last passkey may go: the password still opens the account (WA-14)', async (t) => {
  const { ask, user, register } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  t.equal((await ask('DELETE', pathOf(authenticator.credentialId), { token: user.token })).status, 200)
  t.match(await ask('POST', LOGIN_START, { body: { username: 'user' } }), {
    status: 400,
    text: '{"error":"No credentials registered for user"}',
  })
  const body = { username: 'user', password: 'correct horse' }
  t.equal((await ask('POST', '/api/v1/auth/login', { body })).status, 200)
})

void t.test('a removed passkey logs in no more, also when its login has begun', async (t) => {
  const { ask, user, register, loginChallenge } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  const challenge = await loginChallenge('user')
  await ask('DELETE', pathOf(authenticator.credentialId), { token: user.token })
  const body = { username: 'user', credential: authenticator.get(challenge), challenge }
  const answer = await ask('POST', '/api/v1/auth/webauthn/login/verify', { body })
  t.match(answer, { status: 401, text: '{"error":"Credential not found"}' })
})

void t.test('passkeys and challenges go with their account', async (t) => {
  const { ask, services, user, admin, register, loginChallenge } = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  await register(user, authenticator)
  await loginChallenge('user')
  await services.db.query(sql.unsafe`delete from users where username = 'user'`)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from passkeys`), 0)
  t.equal(await services.db.oneFirst(sql.unsafe`select count(*) from webauthn_challenges`), 0)
  t.equal((await ask('POST', REGISTER_START, { token: user.token })).status, 401)
  t.equal((await register(admin, authenticator)).status, 200, 'the credential is free again')
})

void t.test(
  'existing passkeys are excluded in the registration options, so that none is registered twice',
  async (t) => {
    const { ask, clock, user, register } = await startPasskeyApp(t)
    const [first, second] = [newAuthenticator(), newAuthenticator()]
    await register(user, first)
    clock.advance(1)
    await register(user, second)
    const { json } = await ask('POST', REGISTER_START, { token: user.token })
    t.strictSame(
      pick(json, 'excludeCredentials'),
      [first, second].map(({ credentialId }) => ({
        type: 'public-key',
        id: credentialId.toString('base64'),
        transports: ['internal', 'hybrid'],
      })),
    )
  },
)

void t.test('the kind of authenticator is what the client says, else what its transports say', async (t) => {
  const { ask, clock, user, registerChallenge } = await startPasskeyApp(t)
  for (const [said, deviceType, transports] of [
    [{ transports: ['internal'] }, 'platform', ['internal']],
    [{ transports: ['usb', 'nfc'] }, 'cross-platform', ['usb', 'nfc']],
    [{ transports: [], authenticatorAttachment: 'platform' }, 'platform', []],
    [{ transports: ['internal'], authenticatorAttachment: 'cross-platform' }, 'cross-platform', ['internal']],
    [{ transports: ['internal'], authenticatorAttachment: 'odd' }, 'platform', ['internal']],
    [{ transports: undefined }, 'cross-platform', []],
    [{ transports: 'internal' }, 'cross-platform', []],
    [
      { transports: ['usb', 'usb', 5, null, 'a b', 'x'.repeat(33), '', 'new-way'] },
      'cross-platform',
      ['usb', 'new-way'],
    ],
  ] as const) {
    const challenge = await registerChallenge(user)
    const credential = { ...newAuthenticator().create(challenge), ...said }
    await ask('POST', '/api/v1/auth/webauthn/register/verify', { token: user.token, body: { credential, challenge } })
    const claim = JSON.stringify(said)
    const list = pick((await ask('GET', CREDENTIALS, { token: user.token })).json, 'credentials') as object[]
    t.match(list.at(-1), { device_type: deviceType }, claim)
    const { json } = await ask('POST', LOGIN_START, { body: { username: 'user' } })
    t.strictSame((pick(json, 'allowCredentials') as { transports: string[] }[]).at(-1)?.transports, transports, claim)
    clock.advance(1)
  }
})
