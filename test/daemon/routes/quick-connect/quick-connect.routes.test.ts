import t from 'tap'
import { pick, startApp, type TestApp } from '../../../support/app.ts'

const ROOT = '/api/v1/auth/quick-connect'
const TV = { 'x-phlix-device-id': 'tv-1', 'x-phlix-device-type': 'samsung-tizen' }

/** Another device of the same network. */
const device = (number: number) => ({ ...TV, 'x-phlix-device-id': `tv-${number}` })

async function initiate(app: TestApp, headers: Record<string, string> = TV) {
  const answer = await app.ask('POST', `${ROOT}/initiate`, {
    body: { deviceName: 'Living room', deviceType: 'tv' },
    headers,
  })
  return { answer, code: String(pick(answer.json, 'code')), secret: String(pick(answer.json, 'device_code')) }
}

void t.test(
  'the existing client of televisions signs in with the code alone, from its device and address',
  async (t) => {
    const app = await startApp(t)
    const user = await app.registerUser()
    const { answer, code } = await initiate(app)
    t.match(answer, {
      status: 200,
      json: { code: /^[A-Z]{8}$/, device_code: /^[\w-]{43}$/, interval: 5, expires_in: 600, expires_at: /Z$/ },
    })
    const status = () => app.ask('GET', `${ROOT}/${code}/status`, { headers: TV })
    t.strictSame((await status()).json, { status: 'pending', interval: 5, slow_down: false })
    t.match((await app.ask('GET', `${ROOT}/${code}`, { token: user.token })).json, {
      device: { name: 'Living room', type: 'tv', address: '127.0.0.1' },
      is_same_address: true,
    })
    t.equal((await app.ask('POST', `${ROOT}/${code}/approve`, { token: user.token })).status, 200)
    t.match((await status()).json, { status: 'approved' })
    const foreign = await app.ask('POST', `${ROOT}/${code}/token`, { body: {} })
    t.match(foreign, { status: 400, json: { code: 'expired_token' } })
    const signedIn = await app.ask('POST', `${ROOT}/${code}/token`, { body: {}, headers: TV })
    t.match(signedIn, { status: 200, json: { token_type: 'Bearer', user: { id: user.account.id } } })
    const token = String(pick(signedIn.json, 'access_token'))
    t.match((await app.ask('GET', '/api/v1/auth/me', { token })).json, { user: { username: 'user' } })
    t.match((await status()).json, { status: 'expired' })
  },
)

void t.test('a device with a secret polls for its tokens in the words of RFC 8628', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const { code, secret } = await initiate(app, {})
  const poll = (device_code = secret) => app.ask('POST', `${ROOT}/${code}/token`, { body: { device_code } })
  t.match(await poll(), { status: 400, json: { code: 'authorization_pending', interval: 5 } })
  t.match(await poll(), { status: 400, json: { code: 'slow_down', interval: 10 } })
  t.match(await poll('x'), { status: 400, json: { code: 'expired_token' } })
  const withSecret = await app.ask('GET', `${ROOT}/${code}/status`, { headers: { 'x-device-code': secret } })
  t.match(withSecret.json, { status: 'pending' })
  t.equal((await app.ask('POST', `${ROOT}/${code}/deny`, { token: user.token })).status, 200)
  t.match(await poll(), { status: 400, json: { code: 'access_denied' } })
})

void t.test('unknown, expired and foreign codes have the same answers', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const { code } = await initiate(app)
  const texts = new Set<string>()
  for (const one of [code, 'ZZZZZZZZ', 'x', '%25']) {
    texts.add((await app.ask('GET', `${ROOT}/${one}/status`)).text)
  }
  t.strictSame([...texts], ['{"status":"expired","interval":5,"slow_down":false}'])
  const unknown = await app.ask('GET', `${ROOT}/ZZZZZZZZ`, { token: user.token })
  const malformed = await app.ask('POST', `${ROOT}/x/approve`, { token: user.token })
  t.strictSame([unknown.status, unknown.text], [malformed.status, malformed.text])
  t.match(unknown, { status: 404, json: { code: 'code_not_found' } })
})

void t.test('too many open codes and wrong entries are answered with the time to wait', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  for (let number = 1; number <= 3; number += 1) t.equal((await initiate(app, device(number))).answer.status, 200)
  const fourth = (await initiate(app, device(4))).answer
  t.match(fourth, { status: 429, json: { code: 'too_many_codes' } })
  t.ok(Number(fourth.headers.get('retry-after')) > 500)
  const guess = () => app.ask('GET', `${ROOT}/ZZZZZZZZ`, { token: user.token })
  for (let number = 0; number < 5; number += 1) t.equal((await guess()).status, 404)
  const locked = await guess()
  t.match(locked, { status: 429, json: { code: 'rate_limited' } })
  t.ok(Number(locked.headers.get('retry-after')) > 800)
})

void t.test('behind a proxy that does not say for whom it asks, a device needs its secret', async (t) => {
  const app = await startApp(t)
  const user = await app.registerUser()
  const headers = { ...TV, via: '1.1 proxy' }
  const { code, secret } = await initiate(app, headers)
  t.equal((await app.ask('POST', `${ROOT}/${code}/approve`, { token: user.token })).status, 200)
  for (const one of [headers, TV]) {
    const answer = await app.ask('POST', `${ROOT}/${code}/token`, { body: {}, headers: one })
    t.match(answer, { status: 400, json: { code: 'expired_token' } })
  }
  const signedIn = await app.ask('POST', `${ROOT}/${code}/token`, { body: { device_code: secret }, headers })
  t.equal(signedIn.status, 200)
})

void t.test(
  'a device that gives up frees its code with its secret, and the limit says how long it lasts',
  async (t) => {
    const app = await startApp(t)
    const opened = []
    for (let number = 1; number <= 3; number += 1) opened.push(await initiate(app, device(number)))
    const refused = (await initiate(app, device(4))).answer
    t.match(refused, {
      status: 429,
      json: { message: /^3 codes of this network wait already\..* in (?:9|10) minutes\.$/ },
    })
    const cancel = (code: string, secret?: string) =>
      app.ask('DELETE', `${ROOT}/${code}`, {
        headers: { ...TV, ...(secret !== undefined && { 'x-device-code': secret }) },
      })
    const [first, second] = opened
    for (const secret of [undefined, 'x', second?.secret]) {
      t.equal(
        (await cancel(first?.code ?? '', secret)).text,
        (await cancel('ZZZZZZZZ')).text,
        'all answers are the same',
      )
    }
    t.equal((await initiate(app, device(4))).answer.status, 429, 'without the right secret nothing is freed')
    t.equal((await cancel(first?.code ?? '', first?.secret)).status, 200)
    const status = await app.ask('GET', `${ROOT}/${first?.code}/status`, { headers: TV })
    t.match(status.json, { status: 'expired' })
    t.equal((await initiate(app, device(4))).answer.status, 200)
  },
)
