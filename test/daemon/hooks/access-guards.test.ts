import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { disableAccount } from '../../../src/core/accounts/index.ts'
import type { RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { startApp } from '../../support/app.ts'

/** Routes that return the user: one whose answer depends on the user, one like the routes of media bytes. */
const signedRoutes: RoutePlugin = (app) => {
  for (const [url, isPersonal] of [
    ['/own', true],
    ['/bytes', false],
  ] as const) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'signed', reveals: 'none', signedResource: () => url, isPersonal },
      handler: async ({ account }) => ({ who: account?.username ?? null }),
    })
  }
}

async function setup(t: Test) {
  const server = await startApp(t, { routes: [['', signedRoutes]] })
  const { signer } = server.services
  const { token } = await server.registerUser()
  return { ...server, token, own: signer.signUrl('/own'), bytes: signer.signUrl('/bytes'), signer }
}

const USER = { status: 200, json: { who: 'user' } }
const ANONYMOUS = { status: 200, json: { who: null } }

void t.test('a bearer beside a valid signature is read where the answer depends on the user', async (t) => {
  const { ask, token, own, bytes } = await setup(t)
  t.match(await ask('GET', own, { token }), USER)
  t.match(await ask('GET', own), ANONYMOUS)
  t.match(await ask('GET', bytes, { token }), ANONYMOUS)
  t.match(await ask('GET', '/own', { token }), USER)
  t.match(await ask('GET', '/bytes', { token }), USER, 'without a signature the bearer is what lets in')
})

void t.test('an invalid bearer does not invalidate a valid signature', async (t) => {
  const { ask, services, token, own } = await setup(t)
  for (const authorization of ['Bearer a.b.c', 'Bearer', 'Basic dTpw', `Bearer  ${token}`, `Bearer ${token}x`]) {
    t.match(await ask('GET', own, { headers: { authorization } }), ANONYMOUS, authorization)
  }
  await disableAccount(services, { usernameOrEmail: 'user' })
  t.match(await ask('GET', own, { token }), ANONYMOUS, 'of an account that may no longer come')
})

void t.test('beside a bad signature the bearer decides', async (t) => {
  const { ask, token, signer } = await setup(t)
  const past = signer.sign('/own', -1)
  for (const [query, code] of [
    [`exp=${past.exp}&sig=${past.sig}`, 'signature.expired'],
    [`exp=${past.exp}&sig=x`, 'signature.invalid'],
    ['sig=x', 'signature.invalid'],
  ] as const) {
    t.match(await ask('GET', `/own?${query}`, { token }), USER, query)
    t.match(await ask('GET', `/own?${query}`), { status: 403, json: { code } }, query)
    t.match(await ask('GET', `/own?${query}`, { token: 'a.b.c' }), { status: 401 }, query)
  }
})

void t.test('other failures are not ignored, and media bytes cause no query', async (t) => {
  const { ask, services, token, own, bytes } = await setup(t)
  await services.db.query(sql.unsafe`alter table users rename to people`)
  t.equal((await ask('GET', own, { token })).status, 500)
  t.match(await ask('GET', bytes, { token }), ANONYMOUS)
})
