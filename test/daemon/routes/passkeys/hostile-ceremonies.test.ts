import { randomBytes } from 'node:crypto'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { pick, type Answer } from '../../../support/app.ts'
import { encode, type Twist } from '../../../support/authenticator.ts'
import {
  CREDENTIALS,
  LOGIN_FINISH,
  LOGIN_START,
  newAuthenticator,
  PUBLIC_URL,
  REGISTER_FINISH,
  restart,
  startPasskeyApp,
  type PasskeyApp,
} from '../../../support/passkeys.ts'

const EXPIRED = '{"error":"Invalid or expired challenge"}'
const MISMATCH = '{"error":"Challenge mismatch"}'

/** What an answer must be: its status and its whole body. */
const says = (status: number, text: string) => ({ status, text })

const sortedStatuses = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

const countOf = async ({ services: { db } }: PasskeyApp, table: 'passkeys' | 'webauthn_challenges'): Promise<number> =>
  Number(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`))

/** The app with one passkey of `user`. */
async function setUp(t: Test) {
  const app = await startPasskeyApp(t)
  const authenticator = newAuthenticator()
  t.equal((await app.register(app.user, authenticator)).status, 200)
  const finishLogin = (username: string, challenge: string, credential: object = authenticator.get(challenge)) =>
    app.ask('POST', LOGIN_FINISH, { body: { username, credential, challenge } })
  const finishRegistration = (challenge: string, credential: object) =>
    app.ask('POST', REGISTER_FINISH, { token: app.user.token, body: { credential, challenge } })
  return { app, authenticator, finishLogin, finishRegistration }
}

void t.test('a challenge is good once, whether its answer was right or wrong (WA-01)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await setUp(t)
  const used = await app.loginChallenge('user')
  t.equal((await finishLogin('user', used)).status, 200)
  t.match(await finishLogin('user', used), says(401, EXPIRED))

  const failed = await app.loginChallenge('user')
  const wrong = authenticator.get(failed, { origin: 'https://evil.example' })
  t.match(await finishLogin('user', failed, wrong), says(401, MISMATCH))
  t.match(await finishLogin('user', failed), says(401, EXPIRED), 'the right answer comes too late')

  const registered = await app.registerChallenge(app.user)
  t.equal((await finishRegistration(registered, newAuthenticator().create(registered))).status, 200)
  t.match(await finishRegistration(registered, newAuthenticator().create(registered)), says(400, EXPIRED))
  const garbled = await app.registerChallenge(app.user)
  t.match(await finishRegistration(garbled, { attestationObject: 'AAAA', clientDataJSON: 'AAAA' }), says(400, MISMATCH))
  t.match(await finishRegistration(garbled, newAuthenticator().create(garbled)), says(400, EXPIRED))
  t.equal(await countOf(app, 'webauthn_challenges'), 0)
})

void t.test('of twenty answers to one challenge at the same time exactly one is heard (WA-01)', async (t) => {
  const { app, authenticator, finishLogin } = await setUp(t)
  const challenge = await app.loginChallenge('user')
  const credential = authenticator.get(challenge)
  const answers = await Promise.all(Array.from({ length: 20 }, () => finishLogin('user', challenge, credential)))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(19).fill(401)])
})

void t.test('a challenge is good for one account and one ceremony only (WA-02)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await setUp(t)
  const adminAuthenticator = newAuthenticator()
  await app.register(app.admin, adminAuthenticator)

  const usersLogin = await app.loginChallenge('user')
  t.match(await finishLogin('admin', usersLogin, adminAuthenticator.get(usersLogin)), says(401, EXPIRED))
  const nobodys = await app.loginChallenge('user')
  t.match(await finishLogin('nobody', nobodys, authenticator.get(nobodys)), says(401, EXPIRED))
  const forRegistration = await app.registerChallenge(app.user)
  t.match(await finishLogin('user', forRegistration), says(401, EXPIRED))

  const forLogin = await app.loginChallenge('user')
  t.match(await finishRegistration(forLogin, newAuthenticator().create(forLogin)), says(400, EXPIRED))
  const admins = await app.registerChallenge(app.admin)
  t.match(await finishRegistration(admins, newAuthenticator().create(admins)), says(400, EXPIRED))
  t.equal(await countOf(app, 'passkeys'), 2, 'nothing was stored')

  const [shown, signed] = [await app.loginChallenge('user'), await app.loginChallenge('user')]
  t.match(await finishLogin('user', shown, authenticator.get(signed)), says(401, MISMATCH), 'two good ones, mixed up')
})

void t.test('a challenge lives five minutes, over restarts and in every process (WA-03)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await setUp(t)
  const [inTime, late] = [await app.loginChallenge('user'), await app.loginChallenge('user')]
  const lateRegistration = await app.registerChallenge(app.user)
  app.clock.advance(299)
  t.equal((await finishLogin('user', inTime)).status, 200)
  app.clock.advance(2)
  t.match(await finishLogin('user', late), says(401, EXPIRED))
  t.match(await finishRegistration(lateRegistration, newAuthenticator().create(lateRegistration)), says(400, EXPIRED))

  const before = await app.loginChallenge('user')
  const second = await restart(t, app)
  const body = { username: 'user', credential: authenticator.get(before), challenge: before }
  t.equal((await second.ask('POST', LOGIN_FINISH, { body })).status, 200, 'begun here, finished there')
  t.match(await finishLogin('user', before), says(401, EXPIRED), 'used there, used here')
})

void t.test('a thousand logins that nobody finishes leave a bounded number of rows (WA-04)', async (t) => {
  const { app, authenticator, finishLogin } = await setUp(t)
  const owners = await app.loginChallenge('user')
  // As many as one address may ask for while the owner's lives.
  for (let time = 0; time < 50; time += 1) await app.loginChallenge('user')
  t.equal((await finishLogin('user', owners, authenticator.get(owners))).status, 200, 'the owner was not pushed out')
  for (let time = 0; time < 950; time += 10) {
    await Promise.all(Array.from({ length: 10 }, () => app.loginChallenge('user')))
  }
  t.equal(await countOf(app, 'webauthn_challenges'), 100)
  await app.registerChallenge(app.user)
  t.equal(await countOf(app, 'webauthn_challenges'), 101, 'the other ceremony has room of its own')
  const newest = await app.loginChallenge('user')
  t.equal((await finishLogin('user', newest)).status, 200, 'the newest are kept')
  app.clock.advance(301)
  await app.loginChallenge('user')
  t.equal(await countOf(app, 'webauthn_challenges'), 1, 'the next start sweeps what has expired')
})

void t.test('the eleventh start and the eleventh finish of a minute are refused (WA-04)', async (t) => {
  const { ask } = await startPasskeyApp(t, { limit: 10 })
  for (const path of [LOGIN_START, LOGIN_FINISH]) {
    const answers: Answer[] = []
    for (let time = 0; time < 11; time += 1) answers.push(await ask('POST', path, { body: { username: 'user' } }))
    t.strictSame(
      answers.map(({ status }) => status),
      [...Array<number>(10).fill(400), 429],
      path,
    )
    t.match(answers.at(-1)?.json, { error: 'Too Many Requests', code: 'rate_limited' })
    t.match(answers.at(-1)?.headers.get('retry-after'), /^[1-9]\d*$/)
  }
})

const FOREIGN: readonly [claim: string, twist: Twist][] = [
  ['another port', { origin: `${PUBLIC_URL}:8443` }],
  ['another host', { origin: 'https://evil.example' }],
  ['another scheme', { origin: PUBLIC_URL.replace('https', 'http') }],
  ['a host below', { origin: 'https://sub.good.example' }],
  ['a host that only begins alike', { origin: 'https://good.example.evil' }],
  ['a slash at its end', { origin: `${PUBLIC_URL}/` }],
  ['no origin', { clientData: { origin: undefined } }],
  ['a list of origins', { clientData: { origin: [PUBLIC_URL] } }],
  ['another relying party', { rpId: 'evil.example' }],
  ['a ceremony of no kind', { type: 'payment.get' }],
  ['a frame of another site', { clientData: { crossOrigin: true } }],
  ['a frame that says where', { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } }],
  ['a frame that denies it', { clientData: { topOrigin: 'https://evil.example' } }],
  ['nobody present', { withoutFlags: 0b001 }],
  ['another challenge', { clientData: { challenge: randomBytes(32).toString('base64url') } }],
  ['no challenge', { clientData: { challenge: null } }],
]

void t.test('an answer made elsewhere, for others or in a frame is refused in one fixed text (WA-05)', async (t) => {
  const { app, authenticator } = await setUp(t)
  for (const [claim, twist] of [...FOREIGN, ['a registration', { type: 'webauthn.create' }] as const]) {
    t.match(await app.logIn('user', authenticator, twist), says(401, MISMATCH), `login: ${claim}`)
  }
  for (const [claim, twist] of [...FOREIGN, ['a login', { type: 'webauthn.get' }] as const]) {
    t.match(await app.register(app.user, newAuthenticator(), twist), says(400, MISMATCH), `registration: ${claim}`)
  }
  t.equal(await countOf(app, 'passkeys'), 1)
  t.equal((await app.logIn('user', authenticator)).status, 200, 'none of them used up the counter')
})

void t.test('user verification is preferred, not demanded', async (t) => {
  const { app } = await setUp(t)
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
    t.match(await finish((signature) => flip(signature, signature.length - 1)), says(401, MISMATCH), algorithm)
    t.match(await finish((signature) => flip(signature, 8)), says(401, MISMATCH))
    t.match(await finish((signature) => signature.subarray(1)), says(401, MISMATCH))
    t.match(await finish(() => Buffer.alloc(64)), says(401, MISMATCH))
    t.match(await finish(() => Buffer.alloc(5000, 1)), says(401, MISMATCH))
    t.equal((await finish((signature) => signature)).status, 200)
  }
})

void t.test('a counter that does not increase is a replay; one that is always zero is none (WA-07)', async (t) => {
  const { app, authenticator } = await setUp(t)
  const replayed = says(401, '{"error":"Potential replay attack detected"}')
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
  const { app, authenticator } = await setUp(t)
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.logIn('user', authenticator, { counter: 5 })))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(9).fill(401)])
})

void t.test('a wrong signature does not move the counter (WA-07)', async (t) => {
  const { app, authenticator } = await setUp(t)
  const other = newAuthenticator()
  const twist = { counter: 1000, credentialId: authenticator.credentialId }
  t.match(await app.logIn('user', other, twist), says(401, MISMATCH))
  t.equal((await app.logIn('user', authenticator, { counter: 2 })).status, 200)
})

void t.test('a credential logs in its own account only (WA-08)', async (t) => {
  const { app, authenticator } = await setUp(t)
  await app.register(app.admin)
  const unknown = says(401, '{"error":"Credential not found"}')
  t.match(await app.logIn('admin', authenticator), unknown, 'somebody else’s')
  t.match(await app.logIn('user', newAuthenticator()), unknown, 'nobody’s')
})

void t.test('a credential is registered once, for whomever (WA-09)', async (t) => {
  const { app, authenticator } = await setUp(t)
  const taken = says(400, '{"error":"Credential is already registered"}')
  t.match(await app.register(app.user, authenticator), taken)
  t.match(await app.register(app.admin, authenticator), taken)
  t.match(await app.register(app.admin, newAuthenticator(), { credentialId: authenticator.credentialId }), taken)
  const fresh = newAuthenticator()
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.register(app.admin, fresh)))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(9).fill(400)])
  t.equal((await app.logIn('user', authenticator)).status, 200, 'and keeps its key')
})

void t.test('an account has at most a hundred passkeys', async (t) => {
  const { app } = await setUp(t)
  await app.services.db.query(sql.unsafe`
    insert into passkeys (credential_id, user_id, public_key, counter, transports, device_type, aaguid, registered_at)
    select decode(md5(n::text), 'hex'), ${app.user.account.id}, '\\x00', 0, '{}', 'platform', repeat('0', 32), now()
    from generate_series(1, 99) n`)
  t.match(await app.register(app.user), says(400, '{"error":"Too many credentials registered for user"}'))
  t.equal((await app.register(app.admin)).status, 200)
})

void t.test('an algorithm that was not offered is refused (WA-10)', async (t) => {
  const { app } = await setUp(t)
  t.match(await app.register(app.user, newAuthenticator({ algorithm: 'RS1' })), says(400, MISMATCH))
})

void t.test('attestations that are garbage, huge or deep are refused at once (WA-10)', async (t) => {
  const { app, finishRegistration } = await setUp(t)
  const statement = (value: unknown): Buffer => encode(new Map([['fmt', value]]))
  const deep = (depth: number, byte: number): Buffer => Buffer.alloc(depth, byte)
  const cases: readonly [claim: string, bytes: Buffer][] = [
    ['one byte', Buffer.alloc(1)],
    ['random bytes', randomBytes(500)],
    ['an empty map', encode(new Map())],
    ['a list', encode([1, 2])],
    ['a format of no kind', statement(5)],
    [
      'authenticator data that is text',
      encode(
        new Map([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', 'x'.repeat(99)],
        ] as [string, unknown][]),
      ),
    ],
    ['a text that claims 4 GiB', Buffer.from('7affffffff', 'hex')],
    ['a list that claims 2^53 items', Buffer.from('9b001fffffffffffff00', 'hex')],
    ['lists 30,000 deep', deep(30_000, 0x81)],
    ['tags 30,000 deep', deep(30_000, 0xc1)],
    ['maps 15,000 deep', Buffer.alloc(30_000, Buffer.from('a101', 'hex'))],
    ['just under the limit', randomBytes(32_768)],
    ['over the limit', Buffer.alloc(40_000, 0x81)],
    ['700,000 bytes', Buffer.alloc(700_000, 0x81)],
  ]
  await app.register(app.user, newAuthenticator())
  for (const [claim, bytes] of cases) {
    const challenge = await app.registerChallenge(app.user)
    const { clientDataJSON } = newAuthenticator().create(challenge)
    const credential = { attestationObject: bytes.toString('base64'), clientDataJSON }
    const start = performance.now()
    t.match(await finishRegistration(challenge, credential), says(400, MISMATCH), claim)
    t.ok(performance.now() - start < 1000, `${claim}: ${Math.round(performance.now() - start)} ms`)
  }
  t.equal((await app.ask('GET', '/healthz')).status, 200)
})

void t.test('a deep key or extension inside good authenticator data is refused too (WA-10)', async (t) => {
  const { app, finishRegistration } = await setUp(t)
  const head = Buffer.from(newAuthenticator().create('', {}).attestationObject, 'base64').subarray(
    -(32 + 1 + 4 + 16 + 2 + 32 + 77),
    -77,
  )
  for (const [claim, tail] of [
    ['no key', Buffer.alloc(0)],
    ['a key that is a number', Buffer.from('05', 'hex')],
    ['a deep key', Buffer.alloc(20_000, 0x81)],
    ['a key without an algorithm', encode(new Map([[1, 2]]))],
    ['bytes behind the key', Buffer.concat([encode(new Map([[1, 2]])), Buffer.alloc(9)])],
  ] as const) {
    const authData = new Uint8Array(Buffer.concat([head, tail]))
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const challenge = await app.registerChallenge(app.user)
    const { clientDataJSON } = newAuthenticator().create(challenge)
    const credential = { attestationObject: encode(attestation).toString('base64'), clientDataJSON }
    t.match(await finishRegistration(challenge, credential), says(400, MISMATCH), claim)
  }
  t.match(await app.register(app.user, newAuthenticator({ credentialIdBytes: 1024 })), says(400, MISMATCH))
  t.equal((await app.register(app.user, newAuthenticator({ credentialIdBytes: 1023 }))).status, 200)
})

void t.test('a manufacturer’s statement is taken off unread; nobody’s address in it is fetched', async (t) => {
  const { app } = await setUp(t)
  const certificate = new Uint8Array(randomBytes(600))
  const certified = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(64)],
    ['x5c', [certificate]],
  ])
  for (const format of ['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple']) {
    const authenticator = newAuthenticator()
    t.equal((await app.register(app.user, authenticator, { format, statement: certified })).status, 200, format)
    t.equal((await app.logIn('user', authenticator)).status, 200)
  }
  const selfAttested = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
  ])
  const forged = { format: 'packed', statement: selfAttested }
  t.match(
    await app.register(app.user, newAuthenticator(), forged),
    says(400, MISMATCH),
    'a statement by itself is judged',
  )
  t.match(await app.register(app.user, newAuthenticator(), { format: 'odd' }), says(400, MISMATCH))
  t.match(await app.register(app.user, newAuthenticator(), { statement: certified }), says(400, MISMATCH))
})

void t.test('both base64 alphabets are read, padded or not; what is neither is refused (WA-11)', async (t) => {
  const { app, finishLogin, finishRegistration } = await setUp(t)
  const spellings: readonly [claim: string, respell: (text: string) => string, isGood: boolean][] = [
    ['standard', (text) => text, true],
    ['standard without padding', (text) => text.replaceAll('=', ''), true],
    ['url-safe', (text) => Buffer.from(text, 'base64').toString('base64url'), true],
    ['url-safe with padding', (text) => text.replaceAll('+', '-').replaceAll('/', '_'), true],
    ['spaces', (text) => `${text.slice(0, 8)} ${text.slice(8)}`, false],
    ['a line break at its end', (text) => `${text}\n`, false],
    ['percent-encoded', (text) => encodeURIComponent(`${text}=`), false],
    ['another alphabet', (text) => `é${text.slice(1)}`, false],
    ['NUL', (text) => `${text}\0`, false],
    ['padding inside', (text) => `${text.slice(0, 4)}=${text.slice(4)}`, false],
    ['one character', () => 'A', false],
    ['only padding', () => '==', false],
  ]
  const respellAll = (credential: Record<string, unknown>, respell: (text: string) => string) =>
    Object.fromEntries(
      Object.entries(credential).map(([name, value]) => [name, typeof value === 'string' ? respell(value) : value]),
    )
  for (const [claim, respell, isGood] of spellings) {
    const authenticator = newAuthenticator()
    const first = await app.registerChallenge(app.user)
    const registered = await finishRegistration(respell(first), respellAll(authenticator.create(first), respell))
    t.equal(registered.status, isGood ? 200 : 400, `registration: ${claim}`)
    if (!isGood) t.equal((await app.register(app.user, authenticator)).status, 200)
    const second = await app.loginChallenge('user')
    const answer = await finishLogin('user', respell(second), respellAll(authenticator.get(second), respell))
    t.equal(answer.status, isGood ? 200 : 401, `login: ${claim}`)
    const third = await app.loginChallenge('user')
    const fields = respellAll(authenticator.get(third), respell)
    t.equal((await finishLogin('user', third, fields)).status, isGood ? 200 : 401, `fields alone: ${claim}`)
  }
})

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

void t.test('beginning a login takes about as long for a name that nobody has (WA-12)', async (t) => {
  const { app } = await setUp(t)
  const timeOf = async (username: string): Promise<number> => {
    const start = performance.now()
    await app.ask('POST', LOGIN_START, { body: { username } })
    return performance.now() - start
  }
  const times: Record<'user' | 'nobody', number[]> = { user: [], nobody: [] }
  for (let time = 0; time < 5; time += 1) await timeOf('user')
  for (let time = 0; time < 40; time += 1) {
    times.user.push(await timeOf('user'))
    times.nobody.push(await timeOf('nobody'))
  }
  const [known, unknown] = [median(times.user), median(times.nobody)]
  t.ok(Math.abs(known - unknown) < 50, `known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`)
})

void t.test('no refusal says what the library said', async (t) => {
  const { app, authenticator } = await setUp(t)
  const seen = new Set<string>()
  for (const [, twist] of FOREIGN) {
    seen.add((await app.logIn('user', authenticator, twist)).text)
    seen.add((await app.register(app.user, newAuthenticator(), twist)).text)
  }
  t.strictSame([...seen], [MISMATCH])
  t.equal(pick((await app.ask('GET', CREDENTIALS, { token: app.user.token })).json, 'credentials', 1), undefined)
})
