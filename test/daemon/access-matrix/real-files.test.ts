import t, { type Test } from 'tap'
import { createApiKey, API_KEY_SCOPES, type ApiKeyScope } from '../../../src/core/api-keys/index.ts'
import type { DeclaredRoute } from '../../../src/daemon/http/app-types.ts'
import { findKeyRule } from '../../../src/daemon/http/key-scopes.ts'
import { placeOf, requestOf, type Place } from '../../support/access-matrix/places.ts'
import { HIDDEN_WORD, startRealWorld, type Hidden, type RealWorld } from '../../support/access-matrix/real-world.ts'
import {
  askAs,
  eachOf,
  inSafeOrder,
  isPersonal,
  nameOf,
  replyWithout,
  unknownValue,
} from '../../support/access-matrix/replies.ts'
import { pick } from '../../support/app.ts'
import { openLink, share } from '../../support/shares.ts'

/**
 * The same request by who may see an item and by who may not, with real files: a refusal proves something only if the request succeeds
 * otherwise. Routes with a parameter join by themselves.
 */

/** Routes that cannot succeed here. */
const WITHOUT_SUCCESS: Readonly<Record<string, string>> = {
  '/dash/:jobId/:file': 'the server makes no DASH; the address is reserved',
  '/api/v1/media/:id/subtitles/download': 'needs the plugin of a subtitle provider, and its answer',
}

/** Objects of one person: others get the same answer whatever they contain. own-objects.test.ts is about what their owner is told. */
const OWN = new Set(['session', 'request', 'player', 'group', 'share'])

type Own = Record<'session' | 'request' | 'player' | 'group' | 'share', string>

/** One of each object of the viewer with access. */
async function makeOwn({ ask, services, seeing, hidden }: RealWorld): Promise<Own> {
  const post = async (path: string, body: object) =>
    (await ask('POST', `/api/v1${path}`, { token: seeing.token, body })).json
  const player = crypto.randomUUID()
  const { account, profileId } = seeing
  const names = { username: account.username, deviceName: 'Player', deviceType: 'tv' }
  services.players.add({ id: player, accountId: account.id, profileId, ...names }, () => Promise.resolve())
  return {
    player,
    session: String(pick(await post('/sessions', {}), 'session_id')),
    request: String(pick(await post('/me/requests', { type: 'movie', tmdb_id: 1, title: 'A title' }), 'request', 'id')),
    group: String(pick(await post('/syncplay/groups', { name: 'evening', isPublic: true }), 'group', 'group_id')),
    share: String(pick(await post('/me/shares', { item_id: hidden.film }), 'id')),
  }
}

/** The routes with a parameter, with what stands for it. One without fails the test. */
function placedRoutes(t: Test, routes: readonly DeclaredRoute[]): { route: DeclaredRoute; place: Place }[] {
  return inSafeOrder(routes).flatMap((route) => {
    const place = placeOf(route)
    if (place === undefined) t.fail(`${nameOf(route)}: add to places.ts what stands for its parameters`)
    return place === undefined ? [] : [{ route, place }]
  })
}

const isReading = ({ method }: DeclaredRoute): boolean => method === 'GET' || method === 'HEAD'
const isSuccess = (status: number): boolean => status >= 200 && status < 300

void t.test(
  'who may see an item gets it, and to who may not it does not exist (AZ-11)',
  { timeout: 300_000 },
  async (t) => {
    const world = await startRealWorld(t)
    const { app, hidden, seeing, blind, kid, admin, services } = world
    const routes = app.declaredRoutes
    const placed = placedRoutes(
      t,
      routes.filter((route) => isPersonal(route) && route.access !== 'guest' && route.url.includes(':')),
    )
    const own = await makeOwn(world)
    const valueOf = ({ hidden: what }: Place): string =>
      OWN.has(what) ? own[what as keyof Own] : hidden[what as keyof Hidden]
    const requestFor = (route: DeclaredRoute, place: Place, value: string) => {
      const request = requestOf(route, { place, value, hidden })
      if (request === undefined) t.fail(`${nameOf(route)}: add its other parameters to places.ts`)
      return request ?? { method: route.method, path: route.url, body: undefined }
    }
    const keyFor = async ({ account }: typeof seeing, scope: ApiKeyScope) => {
      const key = await createApiKey(services, { account, name: scope, scopes: [scope], expiresAt: null })
      return { apiKey: key.key, scope }
    }
    const forUsers = ['read', 'play'] as const
    t.notOk(
      Object.values(hidden).some((value) => value === '' || value === 'undefined'),
      'everything was made',
    )

    await t.test('who may not see it is answered byte by byte as for a value that names nothing', async (t) => {
      const keys = await Promise.all(forUsers.map((scope) => keyFor(blind, scope)))
      const callers = [
        { name: 'account', token: blind.token },
        { name: 'profile for children', token: kid.token },
        ...keys.map(({ scope, apiKey }) => ({ name: `key to ${scope}`, apiKey })),
        { name: 'nobody' },
      ]
      const asked = placed.filter(({ place }) => !OWN.has(place.hidden))
      // One caller after the other: they share the connections to the database, and a connection has the views of one of them.
      for (const caller of callers) {
        await eachOf(asked, async ({ route, place }) => {
          const value = valueOf(place)
          const unknown = unknownValue(value)
          const [real, none] = [
            await askAs(world, caller, requestFor(route, place, value)),
            await askAs(world, caller, requestFor(route, place, unknown)),
          ]
          const what = `${caller.name}: ${nameOf(route)}`
          t.equal(replyWithout(real, value), replyWithout(none, unknown), `${what} (${real.status})`)
          t.notMatch(real.text.replaceAll(encodeURIComponent(value), '').replaceAll(value, ''), HIDDEN_WORD, what)
          if (caller.name === 'nobody') t.equal(real.status, 401, what)
        })
      }
    })

    await t.test('the routes of administrators refuse others without looking at the item', async (t) => {
      const ofAdmins = routes.filter(
        ({ access, reveals, url }) => access === 'admin' && reveals === 'items' && url.includes(':'),
      )
      t.ok(ofAdmins.length > 10, `${ofAdmins.length} routes`)
      await eachOf(ofAdmins, async ({ method, url }) => {
        for (const caller of [{ token: seeing.token }, { token: blind.token }, {}]) {
          const replies = []
          for (const value of [hidden.film, hidden.libraryId, unknownValue(hidden.film)]) {
            const answer = await askAs(world, caller, { method, path: url.replaceAll(/:\w+/g, value) })
            t.ok([401, 403].includes(answer.status), `${method} ${url}: ${answer.status}`)
            replies.push(replyWithout(answer, value))
          }
          t.equal(new Set(replies).size, 1, `${method} ${url}`)
        }
      })
    })

    await t.test('a key reads and changes only with the scope of the route', async (t) => {
      const keys = [
        ...(await Promise.all(forUsers.map((scope) => keyFor(seeing, scope)))),
        ...(await Promise.all(API_KEY_SCOPES.map((scope) => keyFor(admin, scope)))),
      ]
      const asked = placed.filter(({ place }) => !OWN.has(place.hidden))
      for (const key of keys) {
        await eachOf(asked, async ({ route, place }) => {
          const isAllowed = findKeyRule(route) === key.scope
          // What changes something would have changed it for the next one.
          if (isAllowed && !isReading(route)) return
          const { status } = await askAs(world, key, requestFor(route, place, valueOf(place)))
          const isExpected = isAllowed ? isSuccess(status) || WITHOUT_SUCCESS[route.url] !== undefined : status === 403
          t.ok(isExpected, `a key to ${key.scope}: ${nameOf(route)} answers ${status}`)
        })
      }
    })

    await t.test('guests of a link get what is listed', async (t) => {
      const ofGuests = inSafeOrder(
        routes.filter(({ access, url }) => access === 'guest' && url.startsWith('/s/:share')),
      )
      const link = await share(world, seeing, { item_id: hidden.film, allow_download: true })
      const [guest, other] = [
        await openLink(world, link.token),
        await openLink(world, (await share(world, seeing, { item_id: hidden.openFilm, allow_download: true })).token),
      ]
      const started = await guest.ask(`/items/${hidden.film}/transcode`, 'POST')
      const jobId = String(pick(started.json, 'job_id'))
      for (const route of ofGuests) {
        const below = (id: string): string =>
          route.url
            .replace('/s/:share', '')
            .replace(':id', id)
            .replace(':index', '0')
            .replace(/hls\/:jobId\/:file/, `hls/${id === hidden.film ? jobId : id}/master.m3u8`)
            .replace(':file', 'storyboard.vtt')
        const { status } = await guest.ask(below(hidden.film), route.method)
        // The film is in Matroska, which browsers do not play.
        const isRefused = route.url.endsWith('/stream') && status === 403
        t.ok(isSuccess(status) || isRefused, `${nameOf(route)} answers ${status}`)
        if (!route.url.includes('/:id') && !route.url.includes('/:jobId')) continue
        const unknown = unknownValue(hidden.film)
        const asked = route.url.includes(':jobId') ? jobId : hidden.film
        t.equal(
          replyWithout(await other.ask(below(hidden.film), route.method), asked),
          replyWithout(await other.ask(below(unknown), route.method), unknown),
          `another link: ${nameOf(route)}`,
        )
      }
    })

    await t.test('who may see it gets a success from every route', async (t) => {
      // One after the other: later requests remove what earlier ones need.
      for (const { route, place } of placed) {
        const name = nameOf(route)
        const answer = await askAs(world, seeing, requestFor(route, place, valueOf(place)))
        const isSucceeding = isSuccess(answer.status)
        const reason = WITHOUT_SUCCESS[route.url]
        t.equal(
          isSucceeding,
          reason === undefined,
          `${name} answers ${answer.status} ${isSucceeding ? '' : answer.text}`,
        )
        // What was removed is made again for the next route that removes it.
        if (route.method === 'DELETE' && OWN.has(place.hidden)) Object.assign(own, await makeOwn(world))
      }
    })
  },
)
