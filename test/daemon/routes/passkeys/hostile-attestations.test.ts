import t from 'tap'
import { encode } from '../../../support/authenticator.ts'
import { CHALLENGE_MISMATCH, newAuthenticator, expectedReply, startWithPasskey } from '../../../support/passkeys.ts'
import { asyncProcessorMilliseconds } from '../../../support/processor-time.ts'
import { noiseOf } from '../../../support/byte-sources.ts'

void t.test('an algorithm that was not offered is refused (WA-10)', async (t) => {
  const { app } = await startWithPasskey(t)
  t.match(await app.register(app.user, newAuthenticator({ algorithm: 'RS1' })), expectedReply(400, CHALLENGE_MISMATCH))
})

/**
 * Maximum cost of a refusal, as a multiple of the cost of refusing random bytes of maximum size. Deep nesting could cost the square of it.
 */
const MAX_TIMES = 12

/** Other threads of the process, such as those of the compiler, can add to several runs in a row. */
const RUNS = 8

void t.test('attestations that are garbage, huge or deep cost no more to refuse than noise (WA-10)', async (t) => {
  const { app, finishRegistration } = await startWithPasskey(t)
  const statement = (value: unknown): Buffer => encode(new Map([['fmt', value]]))
  const deep = (depth: number, byte: number): Buffer => Buffer.alloc(depth, byte)
  const largest = Buffer.from(noiseOf(1, 32_768))
  const cases: readonly [claim: string, bytes: Buffer][] = [
    ['one byte', Buffer.alloc(1)],
    ['random bytes', largest.subarray(0, 500)],
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
    ['just under the limit', largest],
    ['over the limit', Buffer.alloc(40_000, 0x81)],
    ['700,000 bytes', Buffer.alloc(700_000, 0x81)],
  ]
  await app.register(app.user, newAuthenticator())
  const costOf = (bytes: Buffer, claim: string): Promise<number> =>
    asyncProcessorMilliseconds(
      async () => {
        const challenge = await app.registerChallenge(app.user)
        const { clientDataJSON } = newAuthenticator().create(challenge)
        return { challenge, credential: { attestationObject: bytes.toString('base64'), clientDataJSON } }
      },
      async ({ challenge, credential }) => {
        t.match(await finishRegistration(challenge, credential), expectedReply(400, CHALLENGE_MISMATCH), claim)
      },
      RUNS,
    )
  const usual = await costOf(largest, 'noise')
  for (const [claim, bytes] of cases) {
    const times = (await costOf(bytes, claim)) / usual
    t.ok(times < MAX_TIMES, `${claim}: ${times.toFixed(1)} times`)
  }
  t.equal((await app.ask('GET', '/healthz')).status, 200)
})

void t.test('a deep key or extension inside good authenticator data is refused too (WA-10)', async (t) => {
  const { app, finishRegistration } = await startWithPasskey(t)
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
    t.match(await finishRegistration(challenge, credential), expectedReply(400, CHALLENGE_MISMATCH), claim)
  }
  t.match(
    await app.register(app.user, newAuthenticator({ credentialIdBytes: 1024 })),
    expectedReply(400, CHALLENGE_MISMATCH),
  )
  t.equal((await app.register(app.user, newAuthenticator({ credentialIdBytes: 1023 }))).status, 200)
})

void t.test('an attestation statement is removed unread; no URL in it is fetched', async (t) => {
  const { app } = await startWithPasskey(t)
  const certificate = new Uint8Array(noiseOf(1, 600))
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
    expectedReply(400, CHALLENGE_MISMATCH),
    'a statement by itself is judged',
  )
  t.match(await app.register(app.user, newAuthenticator(), { format: 'odd' }), expectedReply(400, CHALLENGE_MISMATCH))
  t.match(
    await app.register(app.user, newAuthenticator(), { statement: certified }),
    expectedReply(400, CHALLENGE_MISMATCH),
  )
})

void t.test('both base64 alphabets are read, with and without padding; other text is refused (WA-11)', async (t) => {
  const { app, finishLogin, finishRegistration } = await startWithPasskey(t)
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
