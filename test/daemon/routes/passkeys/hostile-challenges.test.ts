import t from 'tap'
import { type Answer } from '../../../support/app.ts'
import {
  CHALLENGE_MISMATCH,
  countOf,
  EXPIRED_CHALLENGE,
  LOGIN_FINISH,
  LOGIN_START,
  newAuthenticator,
  restart,
  expectedReply,
  sortedStatuses,
  startPasskeyApp,
  startWithPasskey,
} from '../../../support/passkeys.ts'

void t.test('a challenge is good once, whether its answer was right or wrong (WA-01)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await startWithPasskey(t)
  const used = await app.loginChallenge('user')
  t.equal((await finishLogin('user', used)).status, 200)
  t.match(await finishLogin('user', used), expectedReply(401, EXPIRED_CHALLENGE))

  const failed = await app.loginChallenge('user')
  const wrong = authenticator.get(failed, { origin: 'https://evil.example' })
  t.match(await finishLogin('user', failed, wrong), expectedReply(401, CHALLENGE_MISMATCH))
  t.match(await finishLogin('user', failed), expectedReply(401, EXPIRED_CHALLENGE), 'the right answer comes too late')

  const registered = await app.registerChallenge(app.user)
  t.equal((await finishRegistration(registered, newAuthenticator().create(registered))).status, 200)
  t.match(
    await finishRegistration(registered, newAuthenticator().create(registered)),
    expectedReply(400, EXPIRED_CHALLENGE),
  )
  const garbled = await app.registerChallenge(app.user)
  t.match(
    await finishRegistration(garbled, { attestationObject: 'AAAA', clientDataJSON: 'AAAA' }),
    expectedReply(400, CHALLENGE_MISMATCH),
  )
  t.match(await finishRegistration(garbled, newAuthenticator().create(garbled)), expectedReply(400, EXPIRED_CHALLENGE))
  t.equal(await countOf(app, 'webauthn_challenges'), 0)
})

void t.test('of twenty concurrent answers to one challenge exactly one is accepted (WA-01)', async (t) => {
  const { app, authenticator, finishLogin } = await startWithPasskey(t)
  const challenge = await app.loginChallenge('user')
  const credential = authenticator.get(challenge)
  const answers = await Promise.all(Array.from({ length: 20 }, () => finishLogin('user', challenge, credential)))
  t.strictSame(sortedStatuses(answers), [200, ...Array<number>(19).fill(401)])
})

void t.test('a challenge is good for one account and one ceremony only (WA-02)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await startWithPasskey(t)
  const adminAuthenticator = newAuthenticator()
  await app.register(app.admin, adminAuthenticator)

  const usersLogin = await app.loginChallenge('user')
  t.match(
    await finishLogin('admin', usersLogin, adminAuthenticator.get(usersLogin)),
    expectedReply(401, EXPIRED_CHALLENGE),
  )
  const unknownUsers = await app.loginChallenge('user')
  t.match(
    await finishLogin('unknown', unknownUsers, authenticator.get(unknownUsers)),
    expectedReply(401, EXPIRED_CHALLENGE),
  )
  const forRegistration = await app.registerChallenge(app.user)
  t.match(await finishLogin('user', forRegistration), expectedReply(401, EXPIRED_CHALLENGE))

  const forLogin = await app.loginChallenge('user')
  t.match(
    await finishRegistration(forLogin, newAuthenticator().create(forLogin)),
    expectedReply(400, EXPIRED_CHALLENGE),
  )
  const admins = await app.registerChallenge(app.admin)
  t.match(await finishRegistration(admins, newAuthenticator().create(admins)), expectedReply(400, EXPIRED_CHALLENGE))
  t.equal(await countOf(app, 'passkeys'), 2, 'nothing was stored')

  const [shown, signed] = [await app.loginChallenge('user'), await app.loginChallenge('user')]
  t.match(
    await finishLogin('user', shown, authenticator.get(signed)),
    expectedReply(401, CHALLENGE_MISMATCH),
    'two good ones, mixed up',
  )
})

void t.test('a challenge lives five minutes, over restarts and in every process (WA-03)', async (t) => {
  const { app, authenticator, finishLogin, finishRegistration } = await startWithPasskey(t)
  const [inTime, late] = [await app.loginChallenge('user'), await app.loginChallenge('user')]
  const lateRegistration = await app.registerChallenge(app.user)
  app.clock.advance(299)
  t.equal((await finishLogin('user', inTime)).status, 200)
  app.clock.advance(2)
  t.match(await finishLogin('user', late), expectedReply(401, EXPIRED_CHALLENGE))
  t.match(
    await finishRegistration(lateRegistration, newAuthenticator().create(lateRegistration)),
    expectedReply(400, EXPIRED_CHALLENGE),
  )

  const before = await app.loginChallenge('user')
  const second = await restart(t, app)
  const body = { username: 'user', credential: authenticator.get(before), challenge: before }
  t.equal((await second.ask('POST', LOGIN_FINISH, { body })).status, 200, 'begun here, finished there')
  t.match(await finishLogin('user', before), expectedReply(401, EXPIRED_CHALLENGE), 'used there, used here')
})

void t.test('a thousand unfinished logins leave a bounded number of rows (WA-04)', async (t) => {
  const { app, authenticator, finishLogin } = await startWithPasskey(t)
  const owners = await app.loginChallenge('user')
  // The maximum that one address may request during the lifetime of the owner's challenge.
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
  t.equal(await countOf(app, 'webauthn_challenges'), 1, 'the next start removes expired challenges')
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
