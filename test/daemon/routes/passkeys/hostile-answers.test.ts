import { sql } from 'slonik'
import t from 'tap'
import { pick, type Answer } from '../../../support/app.ts'
import { type ResponseOverrides } from '../../../support/authenticator.ts'
import {
  CREDENTIALS,
  CHALLENGE_MISMATCH,
  countOf,
  LOGIN_FINISH,
  LOGIN_START,
  newAuthenticator,
  PUBLIC_URL,
  restart,
  expectedReply,
  sortedStatuses,
  startPasskeyApp,
  startWithPasskey,
} from '../../../support/passkeys.ts'
import { countedDatabase, countPasswordHashes } from '../../../support/counted-work.ts'
import { noiseOf } from '../../../support/byte-sources.ts'

const FOREIGN: readonly [claim: string, overrides: ResponseOverrides][] = [
  ['another port', { origin: `${PUBLIC_URL}:8443` }],
  ['another host', { origin: 'https://evil.example' }],
  ['another scheme', { origin: PUBLIC_URL.replace('https', 'http') }],
  ['a host below', { origin: 'https://sub.good.example' }],
  ['a host with the same prefix only', { origin: 'https://good.example.evil' }],
  ['a slash at its end', { origin: `${PUBLIC_URL}/` }],
  ['no origin', { clientData: { origin: undefined } }],
  ['a list of origins', { clientData: { origin: [PUBLIC_URL] } }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a ceremony of no kind', { type: 'payment.get' }],
  ['a frame of another site', { clientData: { crossOrigin: true } }],
  ['a frame that says where', { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } }],
  ['a frame that denies it', { clientData: { topOrigin: 'https://evil.example' } }],
  ['without user presence', { withoutFlags: 0b001 }],
  ['another challenge', { clientData: { challenge: Buffer.from(noiseOf(1, 32)).toString('base64url') } }],
  ['no challenge', { clientData: { challenge: null } }],
]

void t.test('an answer made elsewhere, for others or in a frame is refused in one fixed text (WA-05)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  for (const [claim, overrides] of [...FOREIGN, ['a registration', { type: 'webauthn.create' }] as const]) {
    t.match(
      await app.logIn('user', authenticator, overrides),
      expectedReply(401, CHALLENGE_MISMATCH),
      `login: ${claim}`,
    )
  }
  for (const [claim, overrides] of [...FOREIGN, ['a login', { type: 'webauthn.get' }] as const]) {
    t.match(
      await app.register(app.user, newAuthenticator(), overrides),
      expectedReply(400, CHALLENGE_MISMATCH),
      `registration: ${claim}`,
    )
  }
  t.equal(await countOf(app, 'passkeys'), 1)
  t.equal((await app.logIn('user', authenticator)).status, 200, 'none of them used up the counter')
})

void t.test('user verification is preferred, not demanded', async (t) => {
  const { app } = await startWithPasskey(t)
  const authenticator = newAuthenticator()
  t.equal((await app.register(app.user, authenticator, { withoutFlags: 0b100 })).status, 200)
  t.equal((await app.logIn('user', authenticator, { withoutFlags: 0b100 })).status, 200)
})

void t.test('a wrong signature gives no tokens (WA-06)', async (t) => {
  for (const algorithm of ['Ed25519', 'ES256', 'RS256'] as const) {
    const app = await startPasskeyApp(t)
    const authenticator = newAuthenticator({ algorithm })
    await app.register(app.user, authenticator)
    const finish = async (bend: (signature: Buffer) => Buffer): Promise<Answer> => {
      const challenge = await app.loginChallenge('user')
      const credential = authenticator.get(challenge)
      const signature = bend(Buffer.from(credential.signature, 'base64')).toString('base64')
      return app.ask('POST', LOGIN_FINISH, {
        body: { username: 'user', credential: { ...credential, signature }, challenge },
      })
    }
    const flip = (signature: Buffer, index: number): Buffer => {
      signature.writeUInt8(signature.readUInt8(index) ^ 1, index)
      return signature
    }
    t.match(
      await finish((signature) => flip(signature, signature.length - 1)),
      expectedReply(401, CHALLENGE_MISMATCH),
      algorithm,
    )
    t.match(await finish((signature) => flip(signature, 8)), expectedReply(401, CHALLENGE_MISMATCH))
    t.match(await finish((signature) => signature.subarray(1)), expectedReply(401, CHALLENGE_MISMATCH))
    t.match(await finish(() => Buffer.alloc(64)), expectedReply(401, CHALLENGE_MISMATCH))
    t.match(await finish(() => Buffer.alloc(5000, 1)), expectedReply(401, CHALLENGE_MISMATCH))
    t.equal((await finish((signature) => signature)).status, 200)
  }
})

void t.test('a counter that does not increase is a replay; one that is always zero is none (WA-07)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  const replayed = expectedReply(401, '{"error":"Potential replay attack detected"}')
  t.equal((await app.logIn('user', authenticator, { counter: 7 })).status, 200)
  t.match(await app.logIn('user', authenticator, { counter: 7 }), replayed, 'equal')
  t.match(await app.logIn('user', authenticator, { counter: 6 }), replayed, 'lower')
  t.match(await app.logIn('user', authenticator, { counter: 0 }), replayed, 'none any more')
  t.equal((await app.logIn('user', authenticator, { counter: 8 })).status, 200)
  t.equal((await app.logIn('user', authenticator, { counter: 0xffffffff })).status, 200, 'the highest there is')

  const silent = newAuthenticator({ counts: false })
  await app.register(app.admin, silent)
  for (let time = 0; time < 3; time += 1) t.equal((await app.logIn('admin', silent)).status, 200)
})

void t.test('of parallel logins with one counter exactly one is let in (WA-07)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.logIn('user', authenticator, { counter: 5 })))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(9).fill(401)])
})

void t.test('a wrong signature does not move the counter (WA-07)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  const other = newAuthenticator()
  const overrides = { counter: 1000, credentialId: authenticator.credentialId }
  t.match(await app.logIn('user', other, overrides), expectedReply(401, CHALLENGE_MISMATCH))
  t.equal((await app.logIn('user', authenticator, { counter: 2 })).status, 200)
})

void t.test('a credential logs in its own account only (WA-08)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  await app.register(app.admin)
  const unknown = expectedReply(401, '{"error":"Credential not found"}')
  t.match(await app.logIn('admin', authenticator), unknown, 'another account’s')
  t.match(await app.logIn('user', newAuthenticator()), unknown, 'unknown')
})

void t.test('a credential is registered once over all accounts (WA-09)', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  const taken = expectedReply(400, '{"error":"Credential is already registered"}')
  t.match(await app.register(app.user, authenticator), taken)
  t.match(await app.register(app.admin, authenticator), taken)
  t.match(await app.register(app.admin, newAuthenticator(), { credentialId: authenticator.credentialId }), taken)
  const fresh = newAuthenticator()
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.register(app.admin, fresh)))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(9).fill(400)])
  t.equal((await app.logIn('user', authenticator)).status, 200, 'and keeps its key')
})

void t.test('an account has at most a hundred passkeys', async (t) => {
  const { app } = await startWithPasskey(t)
  await app.services.db.query(sql.unsafe`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, device_type, aaguid, registered_at)
    select decode(md5(n::text), 'hex'), ${app.user.account.id}, '\\x00', 0, '{}', 'platform', repeat('0', 32), now()
    from generate_series(1, 99) n`)
  t.match(await app.register(app.user), expectedReply(400, '{"error":"Too many credentials registered for user"}'))
  t.equal((await app.register(app.admin)).status, 200)
})

void t.test('starting a login hashes nothing and costs few queries, also for an unknown name (WA-12)', async (t) => {
  const { app: usual } = await startWithPasskey(t)
  const { asked, services } = countedDatabase(usual.services)
  const app = await restart(t, { ...usual, services })
  const hashes = countPasswordHashes(t)
  const workFor = async (username: string): Promise<{ status: number; asked: string[]; hashes: number }> => {
    asked.length = 0
    const before = hashes()
    const { status } = await app.ask('POST', LOGIN_START, { body: { username } })
    return { status, asked: [...asked], hashes: hashes() - before }
  }
  // The first request of a window also removes expired windows.
  await workFor('user')
  const [known, unknown] = [await workFor('user'), await workFor('stranger')]
  t.strictSame([known.status, unknown.status], [200, 400])
  t.strictSame([known.hashes, unknown.hashes], [0, 0])
  t.strictSame(known.asked.slice(0, unknown.asked.length), unknown.asked, 'the same questions as far as they go')
  t.ok(known.asked.length - unknown.asked.length <= 4, known.asked.join(', '))
})

void t.test('no refusal says what the library said', async (t) => {
  const { app, authenticator } = await startWithPasskey(t)
  const seen = new Set<string>()
  for (const [, overrides] of FOREIGN) {
    seen.add((await app.logIn('user', authenticator, overrides)).text)
    seen.add((await app.register(app.user, newAuthenticator(), overrides)).text)
  }
  t.strictSame([...seen], [CHALLENGE_MISMATCH])
  t.equal(pick((await app.ask('GET', CREDENTIALS, { token: app.user.token })).json, 'credentials', 1), undefined)
})
