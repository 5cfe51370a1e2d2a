import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import {
  createAccount,
  disableAccount,
  listDevices,
  readAccess,
  revokeDevice,
  setAccess,
  type AccessChanges,
} from '../../../src/core/accounts/index.ts'
import { createApiKey, revokeApiKey } from '../../../src/core/api-keys/index.ts'
import type { RouteEntry } from '../../../src/daemon/http/app-types.ts'
import { startApp, type Caller, type TestApp } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { testServices } from '../../support/services.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** A route that gives out an address, the address, and one whose reply has no end, as that of a film is for a player that is paused. */
const routes: RouteEntry[] = [
  [
    '/grants',
    (app, { services }) => {
      app.route({
        method: 'GET',
        url: '/address',
        config: { access: 'user', reveals: 'items' },
        handler: async () => ({
          url: services.signer.signUrl('/grants/bytes'),
          picture: services.signer.signForDay('/grants/bytes').sig,
        }),
      })
      app.route({
        method: 'GET',
        url: '/bytes',
        config: { access: 'signed', reveals: 'items', signedResource: () => '/grants/bytes' },
        schema: { querystring: Type.Object({ endless: Type.Optional(Type.String()) }) },
        handler: async ({ query }, reply) => {
          if (query.endless === undefined) return { said: 'bytes' }
          const body = new Readable({ read: () => undefined })
          body.push('the beginning')
          return reply.header('content-type', 'video/mp4').send(body)
        },
      })
    },
  ],
]

const addressFor = async (app: TestApp, { token }: Pick<Caller, 'token'>): Promise<string> => {
  const { json } = await app.ask('GET', '/grants/address', { token })
  return (json as { url: string }).url
}

/** Starts to read the endless reply. `ended` settles when the server cuts it off. */
async function play(app: TestApp, address: string) {
  const stop = new AbortController()
  const reply = await fetch(`${app.baseUrl}${address}&endless=1`, { signal: stop.signal })
  const reader = reply.body?.getReader()
  if (reader === undefined) throw new Error('the reply has no body')
  await reader.read()
  const ended = reader.read().then(
    () => 'ended',
    (error: Error) => error.name,
  )
  return { ended, stop }
}

const signOut = async ({ services }: TestApp, { account }: Pick<Caller, 'account'>): Promise<void> => {
  for (const { id } of await listDevices(services, { accountId: account.id })) {
    await revokeDevice(services, { accountId: account.id, id })
  }
}

const limit = async ({ services }: TestApp, { account }: Pick<Caller, 'account'>, changes: AccessChanges) =>
  setAccess(services, { accountId: account.id, changes })

/** What ends an address. */
const ENDINGS: Readonly<Record<string, (app: TestApp, user: Caller) => Promise<unknown>>> = {
  'a device that is signed out': signOut,
  'an account that is disabled': ({ services }, { account }) =>
    disableAccount(services, { usernameOrEmail: account.username }),
  'a limit': (app, user) => limit(app, user, { maxAge: 12 }),
}

for (const [what, end] of Object.entries(ENDINGS)) {
  void t.test(`${what} ends addresses, also in the middle of a reply, and only its own`, async (t) => {
    const app = await startApp(t, { routes })
    const [user, other] = [await app.registerUser(), await app.registerAdmin()]
    const [address, others] = [await addressFor(app, user), await addressFor(app, other)]
    t.match((await app.ask('GET', address)).json, { said: 'bytes' })
    const [own, running] = [await play(app, address), await play(app, others)]
    await end(app, user)
    t.match(await app.ask('GET', address), { status: 403, json: { code: 'signature.invalid' } })
    t.not(await own.ended, 'AbortError', 'the reply is cut off')
    t.match((await app.ask('GET', others)).json, { said: 'bytes' })
    running.stop.abort()
    t.equal(await running.ended, 'AbortError', 'that of another person continues')
  })
}

void t.test('what another process ends is refused within seconds', async (t) => {
  const database = await testDatabase(t)
  const app = await startApp(t, { routes, services: await testServices(t, { database }) })
  const elsewhere = await startApp(t, { routes, services: await testServices(t, { database }) })
  const user = await app.registerUser()
  const address = await addressFor(app, user)
  const { ended } = await play(app, address)
  await signOut(elsewhere, user)
  t.not(await ended, 'AbortError')
  await waitUntil('the address is refused', async () => (await app.ask('GET', address)).status === 403)
  t.equal((await elsewhere.ask('GET', address)).status, 403)
})

void t.test('a narrowed limit ends an address although a sibling still has the former limit', async (t) => {
  const app = await startApp(t, { routes })
  const access = {
    ...(await readAccess(app.services, { accountId: (await app.registerUser()).account.id })).access,
    maxAge: 12,
  }
  const add = async (username: string) => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false, access }
    const account = await createAccount(app.services, input)
    return { account, token: await app.signIn(account.id) }
  }
  const [kim, sam] = [await add('kim'), await add('sam')]
  const [ofKim, ofSam] = [await addressFor(app, kim), await addressFor(app, sam)]
  await limit(app, kim, { maxAge: 6 })
  t.equal((await app.ask('GET', ofKim)).status, 403)
  t.match((await app.ask('GET', ofSam)).json, { said: 'bytes' })
  const grantOf = (address: string) => address.slice(-49)
  t.equal(
    (await app.ask('GET', ofSam.replace(grantOf(ofSam), grantOf(ofKim)))).status,
    403,
    'nor with the grant of Kim',
  )
})

void t.test('an address for an API key is valid as long as the key', async (t) => {
  const app = await startApp(t)
  const { account } = await app.registerUser()
  const { apiKey, key } = await createApiKey(app.services, { account, name: 'tool', scopes: ['play'], expiresAt: null })
  const { signer, addressGrants } = app.services
  const grant = { kind: 'k', id: apiKey.id } as const
  t.match(await addressGrants.holderOf(grant), { accountId: account.id, policyId: null })
  t.ok(signer.grantText(grant).startsWith('k'))
  t.equal(
    (await app.ask('GET', '/api/v1/auth/me', { headers: { 'x-api-key': key } })).status,
    403,
    'the key is one for playing',
  )
  await revokeApiKey(app.services, { id: apiKey.id })
  t.equal(await addressGrants.holderOf(grant), undefined)
})

void t.test('an address leaves only with the grant of the request, and pictures without one', async (t: Test) => {
  const app = await startApp(t, { routes })
  const user = await app.registerUser()
  const { json, text } = await app.ask('GET', '/grants/address', { token: user.token })
  t.notMatch(text, app.services.signer.grantMark)
  t.match((json as { picture: string }).picture, /^[\w-]{43}$/)
  const again = await addressFor(app, { token: await app.signIn(user.account.id) })
  t.not(again.slice(-45), (json as { url: string }).url.slice(-45), 'another session, another grant')
})
