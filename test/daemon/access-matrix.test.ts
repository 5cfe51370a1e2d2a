import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createAccount, setAccess } from '../../src/core/accounts/index.ts'
import type { DeclaredRoute } from '../../src/daemon/http/app-types.ts'
import { createShare } from '../../src/core/shares/index.ts'
import type { Planted } from '../support/access-canaries.ts'
import {
  AGE_WORD,
  KIND_NAMES,
  LIBRARY_WORD,
  makeWorld,
  OPEN_WORD,
  SHELF_WORD,
  type Viewer,
} from '../support/access-matrix/canary-world.ts'
import { bodyOf } from '../support/access-matrix/places.ts'
import { eachOf, isPersonal } from '../support/access-matrix/replies.ts'
import type { Answer, TestApp } from '../support/app.ts'
import { openLink, SHARES } from '../support/shares.ts'

/**
 * Every route, asked by accounts with different limits. What is hidden from an account has a word of its own in each of its texts. New routes
 * join by themselves: the list is that of the application.
 */

/**
 * The values of a parameter of a route: which of the planted ids stands there. A parameter without an entry fails the test. `elsewhere`: days, and
 * own objects of an account, are asked for by the tests beside this one, in access-matrix.
 */
const PARAMETERS: Readonly<Record<string, keyof Planted | 'elsewhere'>> = {
  '/api/v1/media/:id': 'itemId',
  '/api/v1/shows/:id': 'itemId',
  '/media/:id': 'itemId',
  '/trickplay/:id': 'itemId',
  '/api/v1/libraries/:id': 'libraryId',
  '/stream/theme-media/:libraryId': 'libraryId',
  '/api/v1/collections/:id': 'collectionId',
  '/api/v1/collections/:id/:itemId': 'itemId',
  '/api/v1/playlists/:id': 'collectionId',
  '/api/v1/smart-playlists/:id': 'playlistId',
  '/api/v1/books/:id': 'itemId',
  '/api/v1/audiobooks/:id': 'itemId',
  '/api/v1/artwork/:id': 'itemId',
  '/api/v1/photo/timeline/:month': 'elsewhere',
  '/api/v1/photo/photos/:id': 'itemId',
  '/api/v1/photo/albums/:id': 'elsewhere',
  '/api/v1/music/artists/:mbid': 'artistName',
  '/api/v1/music/albums/:mbid': 'albumName',
  '/api/v1/music/tracks/:id': 'itemId',
  '/api/v1/transcode/:jobId': 'jobId',
  '/hls/:jobId': 'jobId',
  '/dash/:jobId': 'jobId',
  '/api/v1/me/history/:id': 'itemId',
  '/api/v1/users/me/history/:id': 'itemId',
  '/api/v1/me/recommendations/:id': 'itemId',
  '/api/v1/sessions/:id': 'elsewhere',
  '/api/v1/me/requests/:id': 'elsewhere',
  '/api/v1/me/players/:id': 'elsewhere',
  '/api/v1/syncplay/groups/:id': 'elsewhere',
  '/api/v1/me/shares/:id': 'elsewhere',
  '/s/:share': 'elsewhere',
  '/s/:share/items/:id': 'itemId',
  '/s/:share/trickplay/:id': 'itemId',
  '/s/:share/hls/:jobId': 'jobId',
  '/s/shared/items/:id': 'itemId',
  '/s/shared/trickplay/:id': 'itemId',
  '/s/shared/hls/:jobId': 'jobId',
}

/** Parameters whose value says nothing about an item. */
const FILLED: Readonly<Record<string, string>> = {
  ':index': '1',
  ':stream': '1',
  ':number': '0',
  ':file': 'master.m3u8',
  ':kind': 'audio',
  ':quality': '720p',
}

function parametersOf(url: string): { key: string; name: string }[] {
  return [...url.matchAll(/:(\w+)/g)].map(({ 0: name, index }) => {
    const rest = `${url.slice(0, index)}${name}`
    return { key: rest.replace(/\/items\/:itemId$/, '/:itemId'), name }
  })
}

/** What an answer says, without what differs between any two requests. */
function contentOf({ status, text, headers }: Answer, ids: readonly string[] = []): string {
  const plain = [...headers.entries()]
    .filter(
      ([name]) =>
        !['date', 'x-request-id', 'keep-alive', 'connection', 'content-length'].includes(name) &&
        !name.startsWith('x-ratelimit') &&
        !name.startsWith('ratelimit'),
    )
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  let content = `${status}\n${plain}\n${text}`
  for (const id of ids) content = content.replaceAll(id, 'ID')
  return content
    .replaceAll(
      /"(?:id|session_id|updated_at|created_at|exported_at|last_used_at|computedAt|timestamp|server_time|address)":\s*"?[^",}]*"?/g,
      '',
    )
    .replaceAll(/exp=\d+&sig=[\w.-]+/g, 'exp&sig')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (ids.includes(id) ? 'ID' : id))
}

function check(t: Test, answer: Answer, { forbidden, what }: { forbidden: readonly string[]; what: string }): void {
  const said = `${answer.text} ${[...answer.headers.values()].join(' ')}`.toLowerCase()
  const found = forbidden.filter((word) => said.includes(word))
  t.strictSame(found, [], `${what} says nothing hidden`)
  t.ok(answer.status < 500, `${what} answers ${answer.status}`)
}

void t.test('no route reveals an item that is hidden from the account (AZ-11)', { timeout: 400_000 }, async (t) => {
  const world = await makeWorld(t)
  const routes = world.app.declaredRoutes.filter(({ method }) => method !== 'HEAD')
  const lists = routes.filter((route) => isPersonal(route) && route.method === 'GET' && !route.url.includes(':'))
  /** Routes that say that they reveal nothing are not believed. */
  const silent = routes
    .filter(
      ({ access, reveals, method, url }) =>
        access !== 'admin' && reveals === 'none' && method === 'GET' && !/[:*]/.test(url),
    )
    .map(({ url }) => url)
  const queries = ['', '?limit=200&sort=added', '?search=zq&q=zq', '?genre=zqopen%20genre&topLevel=true']
  const asked = lists.flatMap(({ url }) => queries.map((query) => `${url}${query}`))
  for (const kind of KIND_NAMES) {
    const { libraryId } = world.open[kind]
    asked.push(
      `/api/v1/libraries/${libraryId}/items`,
      `/api/v1/libraries/${libraryId}`,
      `/api/v1/libraries/${libraryId}/collections`,
      `/api/v1/libraries/${libraryId}/theme-media`,
    )
    asked.push(
      `/api/v1/media/facets?libraryId=${libraryId}`,
      `/api/v1/media/letter-index?libraryId=${libraryId}`,
      `/api/v1/media/${world.open[kind].itemId}/similar`,
    )
  }

  const before = new Map<string, string>()
  // One viewer after the other: they share the connections to the database, and a connection has the views of one of them.
  for (const { name, token } of world.viewers) {
    await eachOf(asked, async (path) => {
      before.set(`${name} ${path}`, contentOf(await world.ask('GET', path, { token })))
    })
  }
  const ids = await world.hide()

  await t.test('lists, totals, facets and headers are the same with and without what is hidden', async (t) => {
    for (const { name, token, forbidden, hiddenBy } of world.viewers) {
      await eachOf(silent, async (path) =>
        check(t, await world.ask('GET', path, { token }), { forbidden, what: `${name}: ${path}` }),
      )
      // What is rated 18 is visible to the account that is limited to libraries.
      const isSame = name !== 'libraries'
      await eachOf(asked, async (path) => {
        const answer = await world.ask('GET', path, { token })
        // An export has the limits of the account, which name the blocked tags.
        const isOwnRule = name === 'blocked tags' && path.startsWith('/api/v1/users/me/export')
        check(t, answer, { forbidden: isOwnRule ? [] : forbidden, what: `${name}: ${path}` })
        if (isSame && !(hiddenBy === 'age' && path.startsWith('/api/v1/libraries')))
          t.equal(contentOf(answer), before.get(`${name} ${path}`), `${name}: ${path} is unchanged`)
      })
    }
  })

  await t.test('a hidden id is answered like one that does not exist', async (t) => {
    const openFilm = world.open.movie.itemId
    const withIds = routes
      .filter((one) => one.url.includes(':') && isPersonal(one))
      .map((route) => ({ route, of: generatorOf(t, route) }))
    for (const viewer of world.viewers) {
      const { hiddenBy } = viewer
      await eachOf(withIds, async ({ route, of }) => {
        if (of === undefined || of === 'elsewhere') return
        // The library of what is rated 18 is visible.
        if (of === 'libraryId' && hiddenBy === 'age') return
        for (const kind of viewer.name === 'both' ? KIND_NAMES : (['series'] as const)) {
          const id = ids[of](hiddenBy, kind)
          const answers = []
          for (const value of [id, randomUUID()])
            answers.push(await askWith(world, { route, token: viewer.token, value, of, openFilm }))
          const [hidden, random] = answers as [Answer & { value: string }, Answer & { value: string }]
          const what = `${viewer.name}: ${route.method} ${route.url} (${kind})`
          check(t, hidden, { forbidden: viewer.forbidden, what })
          t.equal(
            contentOf(hidden, [hidden.value]),
            contentOf(random, [random.value]),
            `${what} is as for an unknown id`,
          )
        }
      })
    }
  })

  await t.test(
    'a share link shows what is listed, to the extent that its account sees it, and nothing else',
    async (t) => {
      const ofGuests = routes.filter(({ access }) => access === 'guest')
      t.ok(ofGuests.length >= 9, 'routes of guests were found')
      const boss = await createAccount(world.services, {
        username: 'sharer',
        email: 'sharer@example.test',
        password: 'correct horse',
        isAdmin: true,
      })
      // Nothing is hidden from the administrator: what is not listed must be hidden from the guests all the same.
      for (const { name, id } of [...world.viewers, { name: 'administrator', id: boss.id }]) {
        for (const kind of ['movie', 'series', 'music', 'photo', 'video'] as const) {
          const { share, token } = await createShare(world.services, {
            account: { id, status: 'active', mayDownload: true },
            profile: { id, mayDownload: true },
            subject: { itemId: world.open[kind].itemId },
            expiresAt: null,
            password: null,
            maxUses: null,
            allowsDownload: true,
          })
          const guest = await openLink(world, token)
          const forbidden = [LIBRARY_WORD, SHELF_WORD, AGE_WORD, ...(name === 'nothing' ? [OPEN_WORD] : [])]
          for (const route of ofGuests) {
            const ask = (value: string) => {
              const path = route.url.replace('/s/:share', '').replace(/:(?:id|jobId)/, value)
              return guest.ask(
                path.replaceAll(/:\w+/g, (word) => FILLED[word] ?? value),
                route.method,
              )
            }
            const what = `link of ${name} (${kind}): ${route.method} ${route.url}`
            if (!/:(?:id|jobId)/.test(route.url)) {
              check(t, await ask(''), { forbidden, what })
              continue
            }
            const of = generatorOf(t, { ...route, url: route.url.replace('/:share', '/shared') })
            if (of === undefined || of === 'elsewhere') continue
            const unknown = contentOf(await ask(share.id), [share.id])
            for (const hidden of [
              ids[of]('library', kind),
              ids[of]('age', kind),
              ids.extraId('age', kind),
              world.open[kind].extraId,
            ]) {
              const answer = await ask(hidden)
              check(t, answer, { forbidden, what })
              t.equal(contentOf(answer, [hidden]), unknown, `${what} is as for an unknown id`)
            }
            // An item of another kind, which the account sees, but which is not listed.
            const other = world.open[kind === 'movie' ? 'video' : 'movie'][of]
            t.equal(contentOf(await ask(other), [other]), unknown, `${what}: an item that is not listed`)
          }
        }
        if (name === 'administrator') continue
        const viewer = world.viewers.find((one) => one.name === name)
        const hiddenBy = hiddenFrom(viewer)
        const answers = []
        for (const itemId of [ids.itemId(hiddenBy, 'movie'), randomUUID()])
          answers.push(
            contentOf(await world.ask('POST', SHARES, { token: viewer?.token ?? '', body: { item_id: itemId } })),
          )
        t.equal(answers[0], answers[1], `${name}: a hidden item cannot be shared, as an unknown one`)
      }
    },
  )

  await t.test('who is not signed in is refused, and an administrator sees everything', async (t) => {
    for (const route of routes.filter(isPersonal)) {
      const url = route.url.replaceAll(/:\w+/g, (name) => FILLED[name] ?? randomUUID())
      const answer = await world.ask(route.method, url, { body: route.method === 'GET' ? undefined : {} })
      t.ok([401, 403].includes(answer.status), `${route.method} ${route.url} without an account: ${answer.status}`)
      check(t, answer, { forbidden: [LIBRARY_WORD, AGE_WORD, OPEN_WORD], what: route.url })
    }
    const { id } = await createAccount(world.services, {
      username: 'boss',
      email: 'boss@example.test',
      password: 'correct horse',
      isAdmin: true,
    })
    const token = await world.signIn(id)
    for (const word of [LIBRARY_WORD, AGE_WORD]) {
      t.match((await world.ask('GET', `/api/v1/media?search=${word}`, { token })).text, word)
    }
  })

  await t.test('a change of the limit takes effect with the next request, also for signed addresses', async (t) => {
    const { account, token } = await world.registerUser()
    const path = `/api/v1/media/${ids.itemId('library', 'movie')}`
    t.equal((await world.ask('GET', path, { token })).status, 200)
    const libraryIds = [world.open.movie.libraryId, ids.libraryId('library', 'movie')]
    await setAccess(world.services, { accountId: account.id, changes: { libraryIds } })
    const { json } = await world.ask('GET', path, { token })
    const address = String((json as { stream_url?: unknown }).stream_url)
    t.match(address, /[?&]sig=[\w-]{88}\.\d+/, 'the address names the policy')
    const valid = await world.ask('GET', address)
    t.notMatch(valid.text, /signature|auth\.required/, 'the signature is accepted')
    t.equal(
      (await world.ask('GET', address.replace(/\.\d+$/, ''))).status,
      403,
      'the policy cannot be removed from the address',
    )
    await setAccess(world.services, { accountId: account.id, changes: { libraryIds: [world.open.movie.libraryId] } })
    t.equal((await world.ask('GET', path, { token })).status, 404)
    t.equal((await world.ask('GET', address)).status, 403, 'the address has ended with the limit')
    await setAccess(world.services, { accountId: account.id, changes: { libraryIds: null } })
    t.equal((await world.ask('GET', path, { token })).status, 200)
  })
})

const hiddenFrom = (viewer: Viewer | undefined): Viewer['hiddenBy'] => viewer?.hiddenBy ?? 'library'

/** What stands for the first parameter of a route. A parameter without a generator fails the test. */
function generatorOf(t: Test, { url }: DeclaredRoute): keyof Planted | 'elsewhere' | undefined {
  const [first, ...others] = parametersOf(url)
  const of = PARAMETERS[first?.key ?? '']
  const unknown = others.filter(({ key, name }) => FILLED[name] === undefined && PARAMETERS[key] === undefined)
  if (of !== undefined && unknown.length === 0) return of
  t.fail(`${url} has a parameter without a generator: ${[first, ...unknown].map((one) => one?.key).join(' ')}`)
  return undefined
}

type Asked = { route: DeclaredRoute; token: string; value: string; of: keyof Planted; openFilm: string }

/** Asks a route with an id in the path; pictures are named by the id of their item. */
async function askWith(
  world: TestApp,
  { route, token, value, of, openFilm }: Asked,
): Promise<Answer & { value: string }> {
  const [first = ''] = /:\w+/.exec(route.url) ?? []
  const given = route.url.startsWith('/api/v1/artwork') && of === 'itemId' ? `${value}-poster-0123456789` : value
  const path = route.url.replace(first, encodeURIComponent(given)).replaceAll(/:\w+/g, (name) => FILLED[name] ?? value)
  const body = bodyOf(route, { openFilm }) ?? (route.method === 'GET' || route.method === 'DELETE' ? undefined : {})
  return { ...(await world.ask(route.method, path, { token, body })), value }
}
