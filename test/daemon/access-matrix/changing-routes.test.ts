import t from 'tap'
import { createInvite } from '../../../src/core/accounts/index.ts'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { makeWorld } from '../../support/access-matrix/canary-world.ts'
import { nameOf } from '../../support/access-matrix/replies.ts'
import { pick } from '../../support/app.ts'

const PASSWORD = 'correct horse'

/**
 * Routes that change something and say that they reveal nothing about items: sign-ins, invites, the own account. They are not believed. New
 * routes join by themselves.
 */
void t.test('a route that changes something names nothing that is hidden (AZ-11)', { timeout: 300_000 }, async (t) => {
  const world = await makeWorld(t)
  const ids = await world.hide()
  const routes = world.app.declaredRoutes
    .filter(({ method, url, access, reveals }) => {
      const isReading = method === 'GET' || method === 'HEAD'
      return !isReading && !/[:*]/.test(url) && reveals === 'none' && ['public', 'user'].includes(access)
    })
    // The last one deletes the account.
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    .toSorted((one, other) => Number(one.url === '/api/v1/users/me') - Number(other.url === '/api/v1/users/me'))
  const { code } = await createInvite(world.services, {
    expiresAt: new Date(world.services.clock.now().getTime() + 3_600_000),
    access: { ...EVERYTHING, libraryIds: [ids.libraryId('library', 'movie')] },
  })
  const page = { 'x-phlix-web': '1', origin: world.baseUrl }

  for (const viewer of world.viewers.filter(({ name }) => ['both', 'kids profile'].includes(name))) {
    const username = viewer.name.replaceAll(' ', '-')
    const refreshToken = async (): Promise<unknown> => {
      const body = { username, password: PASSWORD }
      return pick((await world.ask('POST', '/api/v1/auth/login', { body })).json, 'refresh_token')
    }
    const cookie = async (): Promise<string> => {
      const body = { refresh_token: await refreshToken() }
      const { headers } = await world.ask('POST', '/api/v1/auth/web/adopt', { body, headers: page })
      return headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }
    /** Requests that succeed. All others are sent an empty body. */
    const successes: Readonly<Record<string, () => Promise<{ body: object; headers?: Record<string, string> }>>> = {
      'POST /api/v1/auth/login': async () => ({ body: { username, password: PASSWORD } }),
      'POST /api/v1/auth/refresh': async () => ({ body: { refresh_token: await refreshToken() } }),
      'POST /api/v1/auth/logout': async () => ({ body: { refresh_token: await refreshToken() } }),
      'POST /api/v1/auth/invite': async () => ({ body: { invite_code: code } }),
      'POST /api/v1/auth/web/adopt': async () => ({ body: { refresh_token: await refreshToken() }, headers: page }),
      'POST /api/v1/auth/web/refresh': async () => ({ body: {}, headers: { ...page, cookie: await cookie() } }),
      'POST /api/v1/auth/web/logout': async () => ({ body: {}, headers: { ...page, cookie: await cookie() } }),
      // For a profile for children it is refused.
      ...(viewer.name === 'both'
        ? {
            'PUT /api/v1/users/me/password': async () => ({
              body: { current_password: PASSWORD, new_password: PASSWORD },
            }),
          }
        : {}),
    }
    for (const name of Object.keys(successes))
      t.ok(
        routes.some((route) => nameOf(route) === name),
        `${name} is in the matrix`,
      )
    for (const route of routes) {
      const name = nameOf(route)
      const token = await world.signIn(viewer.id, viewer.profileId)
      const success = await successes[name]?.()
      const answer = await world.ask(route.method, route.url, { body: {}, token, ...success })
      const said = `${answer.text} ${[...answer.headers.values()].join(' ')}`.toLowerCase()
      t.strictSame(
        viewer.forbidden.filter((word) => said.includes(word)),
        [],
        `${viewer.name}: ${name} says nothing hidden`,
      )
      if (success === undefined) t.ok(answer.status < 500, `${viewer.name}: ${name} answers ${answer.status}`)
      else t.ok([200, 201].includes(answer.status), `${viewer.name}: ${name} answers ${answer.status}`)
    }
  }
})
