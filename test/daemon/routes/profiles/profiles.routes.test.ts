import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createProfile, setPin } from '../../../../src/core/profiles/index.ts'
import { isRefusedInRestrictedProfile, requireProfileRules } from '../../../../src/daemon/http/profile-rules.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'

const PROFILES = '/api/v1/profiles'
const ME = '/api/v1/auth/me'
const RESTRICTED = { status: 403, json: { code: 'profile.restricted' } }

type Pair = { token: string; refresh: string }

async function setup(t: Test) {
  const app = await startApp(t)
  const { account } = await app.registerUser()
  const signIn = async (): Promise<Pair> => {
    const body = { username: 'user', password: 'correct horse' }
    return pairOf((await app.ask('POST', '/api/v1/auth/login', { body })).json)
  }
  const add = async (token: string, body: object): Promise<string> => {
    const created = await app.ask('POST', PROFILES, { token, body })
    t.match(created, { status: 201, json: { profile_id: /-/, message: /created/ } })
    return String(pick(created.json, 'profile_id'))
  }
  const enter = async (token: string, id: string, body?: object): Promise<Pair> => {
    const answer = await app.ask('POST', `${PROFILES}/${id}/switch`, { token, ...(body === undefined ? {} : { body }) })
    t.match(answer, { status: 200, json: { access_token: /./, refresh_token: /./, profile: { id } } })
    return pairOf(answer.json)
  }
  return { app, account, signIn, add, enter, ...(await signIn()) }
}

const pairOf = (json: unknown): Pair => ({
  token: String(pick(json, 'access_token')),
  refresh: String(pick(json, 'refresh_token')),
})

const refreshOf = async ({ ask }: TestApp, refresh: string) =>
  ask('POST', '/api/v1/auth/refresh', { body: { refresh_token: refresh } })

void t.test('profiles are made, listed, changed and deleted', async (t) => {
  const { app, account, token, add } = await setup(t)
  const ask = (method: string, path = '', body?: unknown) =>
    app.ask(method, `${PROFILES}${path}`, { token, ...(body === undefined ? {} : { body }) })
  const kid = await add(token, { name: 'Kim', is_kids: true, pin: '2580' })
  const teen = await add(token, { name: 'Teens', content_rating: 'PG-13', pin_required_for_admin: true })
  const list = await ask('GET')
  t.match(list, {
    status: 200,
    json: {
      profiles: [
        {
          id: account.id,
          user_id: account.id,
          name: 'user',
          is_main: true,
          is_active: true,
          rating: 12,
          has_pin: false,
        },
        { id: kid, is_kids: true, rating: 3, content_rating: 'TV-Y7', max_age: 7, can_download: false, has_pin: true },
        { id: teen, rating: 6, max_age: 13, pin_required_for_admin: true, is_active: false },
      ],
    },
  })
  t.notMatch(list.text, /pin_hash|argon2/)
  t.match(await ask('GET', `/${kid}`), { status: 200, json: { profile: { id: kid, name: 'Kim' } } })
  t.match(await ask('PUT', `/${kid}`, { name: 'Kimmy', rating: 4, avatar: 'fox' }), {
    status: 200,
    json: { message: /Kimmy/ },
  })
  t.match((await ask('GET', `/${kid}`)).json, { profile: { name: 'Kimmy', rating: 4, max_age: 10, avatar: 'fox' } })
  t.match(await ask('PUT', `/${kid}`, { is_active: true }), { status: 400, json: { code: 'profile.use_switch' } })
  t.match(await ask('PUT', `/${kid}`, { rating: 13 }), { status: 400, json: { code: 'profile.invalid' } })
  t.match(await ask('PUT', `/${kid}`, { rating: 1, max_age: 3 }), { status: 400 })
  t.match(await ask('PUT', `/${kid}`, { content_rating: 'nonsense' }), {
    status: 400,
    json: { code: 'invalid_access' },
  })
  t.match(await ask('POST', '', { name: 'ab' }), { status: 400, json: { code: 'profile.invalid', field: 'name' } })
  t.match(await ask('POST', '', { name: 'Kid', pin: '12' }), {
    status: 400,
    json: { code: 'profile.invalid', field: 'pin' },
  })
  t.match(await ask('DELETE', `/${teen}`), { status: 200, json: { message: /./ } })
  t.match(await ask('DELETE', `/${kid}`), { status: 200 })
  t.match(await ask('DELETE', `/${account.id}`), { status: 409, json: { code: 'profile.last_profile' } })
})

void t.test('a profile of another account is as unknown as one that does not exist', async (t) => {
  const { app, token } = await setup(t)
  const { account: other } = await app.registerAdmin()
  const { id: foreign } = await createProfile(app.services, {
    accountId: other.id,
    fields: { name: 'Foreign' },
    pin: '2580',
  })
  const bodies: Record<string, unknown> = {
    'PUT ': { name: 'Mine' },
    'POST /pin': { pin: '1111' },
    'POST /pin/verify': { pin: '2580' },
    'POST /switch': { pin: '2580' },
  }
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/pin'],
    ['DELETE', '/pin'],
    ['POST', '/pin/verify'],
    ['POST', '/switch'],
  ] as const) {
    const body = bodies[`${method} ${path}`]
    const answers = []
    for (const id of [foreign, other.id, randomUUID(), 'x']) {
      const { status, text } = await app.ask(method, `${PROFILES}/${id}${path}`, {
        token,
        ...(body === undefined ? {} : { body }),
      })
      answers.push([status, text.replaceAll(id, 'ID').replaceAll(/"request_id":"[^"]*"/g, '')])
    }
    t.match(answers[0], [404, /profile_not_found/], `${method} ${path}`)
    for (const answer of answers) t.strictSame(answer, answers[0], `${method} ${path}`)
  }
})

void t.test('a PIN is set, verified, guessed in vain and removed', async (t) => {
  const { app, account, token } = await setup(t)
  const ask = (method: string, path: string, body?: unknown) =>
    app.ask(method, `${PROFILES}/${account.id}${path}`, { token, ...(body === undefined ? {} : { body }) })
  t.match(await ask('POST', '/pin/verify', { pin: '2580' }), { status: 409, json: { code: 'profile.no_pin' } })
  t.match(await ask('POST', '/pin', { pin: '2580' }), { status: 200, json: { message: /./ } })
  t.match(await ask('POST', '/pin/verify', { pin: '2580' }), { status: 200, json: { verified: true } })
  const wrong = { status: 403, json: { code: 'profile.pin_mismatch' } }
  const texts = new Set<string>()
  for (const pin of ['0000', '1', '25800', 'abcd', '']) {
    const answer = await ask('POST', '/pin/verify', { pin })
    t.match(answer, wrong, pin)
    texts.add(answer.text.replaceAll(/"request_id":"[^"]*"/g, ''))
  }
  t.equal(texts.size, 1, 'the answer does not say what is wrong')
  const locked = await ask('POST', '/pin/verify', { pin: '2580' })
  t.match(locked, { status: 429 })
  t.ok(Number(locked.headers.get('retry-after')) > 200)
  t.match(await ask('POST', '/pin', { pin: '' }), { status: 200 }, 'the sign-in was a moment ago')
  t.match((await ask('GET', '')).json, { profile: { has_pin: false } })
})

void t.test('a switch gives a new pair in the same session, and ends the former access token', async (t) => {
  const { app, account, token, refresh, add, enter } = await setup(t)
  const second = await add(token, { name: 'Second' })
  const pair = await enter(token, second)
  t.match(await app.ask('GET', ME, { token }), { status: 401 }, 'the former token has ended')
  t.match(await app.ask('GET', ME, { token: pair.token }), {
    status: 200,
    json: { user: { id: account.id }, profile: { id: second, name: 'Second', is_main: false } },
  })
  const [before, after] = [app.tokens.verifyAccess(token), app.tokens.verifyAccess(pair.token)]
  t.equal(after.sid, before.sid, 'the session is the same')
  t.match(
    [before, after],
    [
      { pid: account.id, ver: 0 },
      { pid: second, ver: 1 },
    ],
  )
  const renewed = await refreshOf(app, pair.refresh)
  t.match(renewed, { status: 200, json: { profile: { id: second } } })
  const renewedPair = pairOf(renewed.json)
  t.match(
    app.tokens.verifyAccess(renewedPair.token),
    { pid: second, sid: before.sid, ver: 1 },
    'a refresh keeps the profile',
  )
  t.match(pairOf((await refreshOf(app, refresh)).json), { token: /./ }, 'a refresh on its way gets the new profile')
  const back = await enter(renewedPair.token, account.id)
  t.match(app.tokens.verifyAccess(back.token), { pid: account.id, ver: 2 })
  t.match(await app.ask('GET', ME, { token: pair.token }), { status: 401 })
  t.match(await app.ask('GET', ME, { token: renewedPair.token }), { status: 401 })
})

void t.test('a token whose profile is not that of its session is refused', async (t) => {
  const { app, account, token, add } = await setup(t)
  const second = await add(token, { name: 'Second' })
  const { sid: sessionId } = app.tokens.verifyAccess(token)
  const forged = (profileId: string, epoch: number) =>
    app.tokens.issueAccess({ accountId: account.id, sessionId, profileId, epoch })
  t.match(await app.ask('GET', ME, { token: forged(account.id, 0) }), { status: 200 })
  for (const [profileId, epoch] of [
    [second, 0],
    [account.id, 1],
    [randomUUID(), 0],
  ] as const) {
    t.match(await app.ask('GET', ME, { token: forged(profileId, epoch) }), { status: 401 })
  }
})

void t.test('of two switches at once one succeeds', async (t) => {
  const { app, token, add } = await setup(t)
  const ids = [await add(token, { name: 'Second' }), await add(token, { name: 'Third' })]
  const answers = await Promise.all(ids.map((id) => app.ask('POST', `${PROFILES}/${id}/switch`, { token })))
  t.strictSame(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401],
  )
})

void t.test('a profile with a PIN is entered with the PIN, the password, or after its verification', async (t) => {
  const { app, account, token, add, enter, signIn } = await setup(t)
  const second = await add(token, { name: 'Second' })
  await setPin(app.services, { id: account.id, pin: '2580' })
  const inSecond = async () => (await enter((await signIn()).token, second)).token
  const attempt = async (body?: object) =>
    app.ask('POST', `${PROFILES}/${account.id}/switch`, {
      token: await inSecond(),
      ...(body === undefined ? {} : { body }),
    })
  t.match(await attempt(), { status: 403, json: { code: 'profile.proof_required', proofs: ['pin', 'password'] } })
  t.match(await attempt({ pin: '0000' }), { status: 403, json: { code: 'profile.pin_mismatch' } })
  t.match(await attempt({ password: 'wrong' }), { status: 403, json: { code: 'profile.password_mismatch' } })
  t.match(await attempt({ pin: '2580' }), { status: 200 })
  t.match(await attempt({ password: 'correct horse' }), { status: 200 })
  const verified = await inSecond()
  t.match(await app.ask('POST', `${PROFILES}/${account.id}/pin/verify`, { token: verified, body: { pin: '2580' } }), {
    status: 200,
  })
  const other = await inSecond()
  t.match(
    await app.ask('POST', `${PROFILES}/${account.id}/switch`, { token: other }),
    { status: 403 },
    'a proof is of one session',
  )
  const { token: entered } = await enter(verified, account.id)
  const { token: again } = await enter(entered, second)
  t.match(
    await app.ask('POST', `${PROFILES}/${account.id}/switch`, { token: again }),
    { status: 403 },
    'a proof is used once',
  )
})

void t.test(
  'a profile for a child is left with the PIN of the other one or the password, even to one without a PIN',
  async (t) => {
    const { app, account, token, add, enter } = await setup(t)
    const kid = await add(token, { name: 'Kim', is_kids: true })
    const sibling = await add(token, { name: 'Tim', is_kids: true })
    const { token: child } = await enter(token, kid)
    for (const id of [account.id, sibling]) {
      t.match(await app.ask('POST', `${PROFILES}/${id}/switch`, { token: child }), {
        status: 403,
        json: { code: 'profile.proof_required', proofs: ['password'] },
      })
    }
    t.match(await enter(child, account.id, { password: 'correct horse' }), { token: /./ })
  },
)

void t.test('an administrator is none in a profile with limits, and sees what it may', async (t) => {
  const { app, enter } = await setup(t)
  const admin = await app.registerAdmin()
  const created = await app.ask('POST', PROFILES, { token: admin.token, body: { name: 'Limited', max_age: 12 } })
  const { token } = await enter(admin.token, String(pick(created.json, 'profile_id')))
  t.match(await app.ask('GET', ME, { token }), {
    json: { user: { is_admin: false }, profile: { is_restricted: true } },
  })
  t.match(await app.ask('GET', '/api/v1/admin/users', { token }), { status: 403, json: { code: 'auth.not_admin' } })
  const { token: back } = await enter(token, admin.account.id)
  t.match(await app.ask('GET', '/api/v1/admin/users', { token: back }), { status: 200 })
})

void t.test('every route is refused in a restricted profile exactly if the table says so', async (t) => {
  const { app, account, token, add, enter } = await setup(t)
  requireProfileRules(app.app.declaredRoutes)
  t.throws(() => requireProfileRules([]), /unknown routes/)
  const kid = await add(token, { name: 'Kim', is_kids: true })
  const { token: child } = await enter(token, kid)
  const refused: string[] = []
  for (const { method, url, access } of app.app.declaredRoutes) {
    // A public route knows no profile, and a signature names none.
    if (access === 'public' || access === 'signed' || method === 'HEAD' || isEnd(method, url)) continue
    const path = url.replaceAll(/:\w+/g, account.id).replace('*', 'x')
    const answer = await app.ask(method, path, { token: child, ...(method === 'GET' ? {} : { body: {} }) })
    // The routes of passkeys answer without codes.
    const isRefused = answer.text.includes('Not in this profile')
    t.equal(isRefused, isRefusedInRestrictedProfile({ method, url }), `${method} ${url}: ${answer.status}`)
    if (access === 'admin') t.equal(answer.status, 403, `${method} ${url}`)
    if (isRefused) refused.push(`${method} ${url}`)
  }
  for (const route of [
    'POST /api/v1/profiles',
    'PUT /api/v1/profiles/:id',
    'DELETE /api/v1/profiles/:id',
    'POST /api/v1/profiles/:id/pin',
    'POST /api/v1/me/api-keys',
    'POST /api/v1/auth/quick-connect/:code/approve',
    'POST /api/v1/auth/webauthn/register/options',
    'POST /api/v1/auth/oidc/link',
    'DELETE /api/v1/me/devices/:id',
    'DELETE /api/v1/collections/:id',
    'GET /api/v1/me/requests',
  ]) {
    t.ok(refused.includes(route), route)
  }
})

/** Routes that end the session of the test. */
const isEnd = (method: string, url: string): boolean => method === 'POST' && url === '/api/v1/auth/oidc/logout'

void t.test('a profile without downloads plays, but gets no address of a download', async (t) => {
  const { app, token, add, enter } = await setup(t)
  const id = await add(token, { name: 'Second', can_download: false })
  const path = `/api/v1/media/${randomUUID()}/download`
  t.match(await app.ask('GET', path, { token }), { status: 404 })
  const { token: second } = await enter(token, id)
  t.match(await app.ask('GET', path, { token: second }), { status: 403, json: { code: 'download_not_permitted' } })
  t.match(await app.ask('GET', path.replace('/download', ''), { token: second }), { status: 404 })
})

void t.test('who changes a profile that asks for its PIN enters it', async (t) => {
  const { app, token, add } = await setup(t)
  const id = await add(token, { name: 'Teens', max_age: 12, pin: '2580', pin_required_for_admin: true })
  const change = (body: object) => app.ask('PUT', `${PROFILES}/${id}`, { token, body })
  t.match(await change({ max_age: 18 }), { status: 403, json: { code: 'profile.proof_required' } })
  t.match(await app.ask('DELETE', `${PROFILES}/${id}`, { token }), { status: 403 })
  t.match(await change({ max_age: 18, current_pin: '0000' }), { status: 403, json: { code: 'profile.pin_mismatch' } })
  t.match(await change({ max_age: 18, current_pin: '2580' }), { status: 200 })
  t.match(await change({ max_age: 16, password: 'correct horse' }), { status: 200 })
  t.match(await app.ask('DELETE', `${PROFILES}/${id}`, { token, body: { current_pin: '2580' } }), { status: 200 })
})

void t.test('the deletion of a profile signs its devices out; the profile in use stays', async (t) => {
  const { app, token, add, enter, signIn } = await setup(t)
  const id = await add(token, { name: 'Second' })
  const { token: television } = await enter((await signIn()).token, id)
  t.match(await app.ask('DELETE', `${PROFILES}/${id}`, { token: television }), {
    status: 409,
    json: { code: 'profile.in_use' },
  })
  t.match(await app.ask('DELETE', `${PROFILES}/${id}`, { token }), { status: 200 })
  t.match(await app.ask('GET', ME, { token: television }), { status: 401 })
})

void t.test('a device that is signed in by a code gets the profile that was chosen', async (t) => {
  const { app, account, token, add, enter } = await setup(t)
  const kid = await add(token, { name: 'Kim', is_kids: true })
  const locked = await add(token, { name: 'Locked', pin: '2580' })
  const initiate = async () => {
    const { json } = await app.ask('POST', '/api/v1/auth/quick-connect/initiate', { body: {} })
    return { code: String(pick(json, 'code')), device_code: String(pick(json, 'device_code')) }
  }
  const approve = async (code: string, body?: object, by = token) =>
    app.ask('POST', `/api/v1/auth/quick-connect/${code}/approve`, {
      token: by,
      ...(body === undefined ? {} : { body }),
    })
  const signedIn = async (body?: object) => {
    const { code, device_code } = await initiate()
    t.match(await approve(code, body), { status: 200 })
    return app.ask('POST', `/api/v1/auth/quick-connect/${code}/token`, { body: { device_code } })
  }
  t.match(await signedIn(), { status: 200, json: { profile: { id: account.id } } })
  t.match(await signedIn({ profile_id: kid }), {
    status: 200,
    json: { profile: { id: kid, is_kids: true, is_restricted: true }, user: { is_admin: false } },
  })
  const { code } = await initiate()
  t.match(await approve(code, { profile_id: randomUUID() }), { status: 404, json: { code: 'profile_not_found' } })
  t.match(await approve(code, { profile_id: locked }), { status: 403, json: { code: 'profile.proof_required' } })
  t.match(await approve(code, { profile_id: locked, pin: '2580' }), { status: 200 })
  const { token: child } = await enter(token, kid)
  t.match(await approve((await initiate()).code, {}, child), RESTRICTED)
})

void t.test('administrators manage the profiles of others, and are told why an item is hidden', async (t) => {
  const { app, account } = await setup(t)
  const { token } = await app.registerAdmin()
  const ask = (method: string, path: string, body?: unknown) =>
    app.ask(method, `/api/v1/admin${path}`, { token, ...(body === undefined ? {} : { body }) })
  const created = await ask('POST', `/users/${account.id}/profiles`, { name: 'Kim', rating: 3 })
  t.match(created, { status: 201, json: { profile_id: /-/, message: /./ } })
  const id = String(pick(created.json, 'profile_id'))
  t.match(await ask('GET', `/users/${account.id}/profiles`), {
    status: 200,
    json: { profiles: [{ is_main: true }, { id, user_id: account.id, name: 'Kim', rating: 3, created_at: /Z$/ }] },
  })
  t.match(await ask('POST', `/profiles/${id}/pin`, { pin: '2580' }), { status: 200 })
  t.match(await ask('DELETE', `/profiles/${id}/pin`), { status: 200 })
  t.match(await ask('PUT', `/profiles/${id}`, { rating: 6 }), { status: 200 })
  t.match(await ask('PUT', `/profiles/${id}`, { is_active: false }), {
    status: 400,
    json: { code: 'profile.use_switch' },
  })
  t.match(await ask('GET', `/profiles/${id}`), { json: { profile: { max_age: 13 } } })
  t.match(await ask('GET', `/profiles/${id}/explain?item=${randomUUID()}`), {
    status: 404,
    json: { code: 'media_item_not_found' },
  })
  t.match(await ask('GET', `/users/${randomUUID()}/profiles`), { status: 404 })
  t.match(await ask('DELETE', `/profiles/${id}`), { status: 200 })
  t.match(await ask('GET', `/profiles/${id}`), { status: 404, json: { code: 'profile_not_found' } })
})

void t.test('a sign-in of a moment ago counts in its own profile only, and is not handed on by a code', async (t) => {
  const { app, account, token, add, enter } = await setup(t)
  const second = await add(token, { name: 'Second' })
  t.match(await app.ask('POST', `${PROFILES}/${account.id}/pin`, { token, body: { pin: '2580' } }), { status: 200 })
  const removePin = (by: string) => app.ask('DELETE', `${PROFILES}/${account.id}/pin`, { token: by })
  const makeKey = (by: string) =>
    app.ask('POST', '/api/v1/me/api-keys', { token: by, body: { name: 'x', scopes: ['read'] } })
  const refusedKey = { status: 403, json: { code: 'recent_sign_in_required' } }
  const refusedPin = { status: 403, json: { code: 'profile.proof_required' } }
  t.match(await makeKey(token), { status: 201 }, 'in the profile of the sign-in')

  const codeSession = async (by: string, body: object) => {
    const { json } = await app.ask('POST', '/api/v1/auth/quick-connect/initiate', { body: {} })
    const [code, device_code] = [String(pick(json, 'code')), String(pick(json, 'device_code'))]
    t.match(await app.ask('POST', `/api/v1/auth/quick-connect/${code}/approve`, { token: by, body }), { status: 200 })
    const answer = await app.ask('POST', `/api/v1/auth/quick-connect/${code}/token`, { body: { device_code } })
    return pairOf(answer.json).token
  }
  for (const profile_id of [second, account.id]) {
    const device = await codeSession(token, { profile_id })
    t.match(await removePin(device), refusedPin)
    t.match(await makeKey(device), refusedKey)
  }

  const { token: switched } = await enter(token, second)
  t.match(await removePin(switched), refusedPin)
  t.match(await makeKey(switched), refusedKey)
  const { token: back } = await enter(switched, account.id, { pin: '2580' })
  t.match(await makeKey(back), refusedKey, 'a PIN is no sign-in')
  const wrong = await app.ask('POST', `${PROFILES}/${second}/switch`, { token: back, body: { password: 'wrong' } })
  t.match(wrong, { status: 403, json: { code: 'profile.password_mismatch' } }, 'also where no proof is needed')
  const { token: proven } = await enter(back, second, { password: 'correct horse' })
  t.match(await makeKey(proven), { status: 201 }, 'the password is one')
  t.match(await makeKey((await enter(proven, second)).token), { status: 201 }, 'and stays one in its profile')
  const body = { username: 'user', password: 'correct horse' }
  const again = pairOf((await app.ask('POST', '/api/v1/auth/login', { body })).json).token
  t.match(await removePin(again), { status: 200 })
})

void t.test('texts that the database cannot store are refused', async (t) => {
  const { app, token, add } = await setup(t)
  const id = await add(token, { name: 'Kim' })
  for (const content_rating of ['\u0000', 'PG\u000013', '\ud800']) {
    const answer = await app.ask('PUT', `${PROFILES}/${id}`, { token, body: { content_rating } })
    t.match(answer, { status: 400, json: { code: 'invalid_access' } }, JSON.stringify(content_rating))
  }
})
