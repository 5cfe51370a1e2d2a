import t from 'tap'
import { changeSettings } from '../../../../src/core/platform/settings/index.ts'
import { plant } from '../../../support/access-canaries.ts'
import { pick, startApp } from '../../../support/app.ts'

const INVITES = '/api/v1/admin/invites'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

void t.test('an invited account has the limits of its invite', async (t) => {
  const { services, ask, registerAdmin, baseUrl } = await startApp(t)
  const { token, account: admin } = await registerAdmin()
  const { libraryId } = await plant(services.db, 'movie', { word: 'open', rating: 'G', ownerId: admin.id, day: 1 })
  await plant(services.db, 'movie', { word: 'hidden', rating: 'G', ownerId: admin.id, day: 1 })
  await changeSettings(services, { 'accounts.registration': 'invite' })
  const body = { expires_at: inDays(7), library_ids: [libraryId], max_rating: 'FSK 12', max_uses: 2 }
  const made = await ask('POST', INVITES, { token, body })
  t.match(made, {
    status: 201,
    json: {
      url: new RegExp(`^${baseUrl}/#invite=[\\w-]{32}$`),
      invite: { max_uses: 2, uses: 0, access: { library_ids: [libraryId], max_age: 12, allow_unrated: false } },
    },
  })
  const code = String(pick(made.json, 'url')).split('=')[1]
  const register = (username: string) =>
    ask('POST', '/api/v1/auth/register', {
      body: { username, email: `${username}@example.test`, password: 'correct horse', invite_code: code },
    })
  const answers = await Promise.all(['kim', 'bob', 'eve', 'dan'].map(register))
  t.strictSame(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 403, 403],
    'two of four',
  )
  const guest = String(pick(answers.find(({ status }) => status === 201)?.json, 'access_token'))
  t.match((await ask('GET', '/api/v1/libraries', { token: guest })).json, { libraries: [{ id: libraryId }] })
  t.equal((pick((await ask('GET', '/api/v1/libraries', { token: guest })).json, 'libraries') as object[]).length, 1)
  const listed = await ask('GET', INVITES, { token })
  t.match(listed.json, { invites: [{ id: pick(made.json, 'id'), uses: 2, used_at: /Z$/ }] })
  t.equal((pick(listed.json, 'invites', 0, 'usernames') as string[]).length, 2)
  t.notMatch(listed.text, code)
})

void t.test('an invite is revoked, and bad ones are refused with the field', async (t) => {
  const { services, ask, registerAdmin, registerUser } = await startApp(t)
  const [{ token }, user] = [await registerAdmin(), await registerUser()]
  await changeSettings(services, { 'accounts.registration': 'invite' })
  const made = await ask('POST', INVITES, { token, body: { expires_at: inDays(1) } })
  t.match(made.json, { invite: { max_uses: 1, access: { library_ids: null, max_age: null } } })
  const id = String(pick(made.json, 'id'))
  t.equal((await ask('DELETE', `${INVITES}/${id}`, { token })).status, 200)
  t.match(await ask('DELETE', `${INVITES}/${id}`, { token }), { status: 404, json: { code: 'invite_not_found' } })
  const invited = { username: 'kim', email: 'kim@example.test', password: 'correct horse' }
  const code = String(pick(made.json, 'url')).split('=')[1]
  const late = await ask('POST', '/api/v1/auth/register', {
    body: { ...invited, invite_code: code },
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  t.match(late, { status: 403, json: { code: 'registration_closed', reason: 'invite_revoked' } })
  for (const [body, expected] of [
    [{}, { code: 'invalid_request' }],
    [{ expires_at: 'tomorrow' }, { fields: { expires_at: /365 days/ } }],
    [{ expires_at: inDays(-1) }, { fields: { expires_at: /365 days/ } }],
    [{ expires_at: inDays(366) }, { fields: { expires_at: /365 days/ } }],
    [{ expires_at: inDays(1), max_uses: 0 }, { fields: { max_uses: /from 1 to 1000/ } }],
    [{ expires_at: inDays(1), max_uses: 1001 }, { fields: { max_uses: /from 1 to 1000/ } }],
    [{ expires_at: inDays(1), max_uses: 1.5 }, { code: 'invalid_request' }],
    [{ expires_at: inDays(1), library_ids: ['x'] }, { code: 'invalid_access' }],
    [{ expires_at: inDays(1), max_rating: 'nonsense' }, { code: 'invalid_access' }],
    [{ expires_at: inDays(1), max_rating: 'G', max_age: 1 }, { code: 'invalid_request' }],
  ] as const) {
    t.match(await ask('POST', INVITES, { token, body }), { status: 422, json: expected }, JSON.stringify(body))
  }
  for (const method of ['GET', 'POST'] as const) {
    t.equal((await ask(method, INVITES, { token: user.token, ...(method === 'POST' && { body: {} }) })).status, 403)
  }
})
