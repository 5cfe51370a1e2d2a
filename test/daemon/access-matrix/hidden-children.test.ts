import t from 'tap'
import { EVERYTHING, type AccessRule } from '../../../src/core/access/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import type { DeclaredRoute } from '../../../src/daemon/http/app-types.ts'
import { KINDS, plant, plantHistory, plantSession, type Kind, type Planted } from '../../support/access-canaries.ts'
import { plantHiddenChildren, plantOpenEpisodes, type ByKind } from '../../support/access-matrix/children.ts'
import { placeOf } from '../../support/access-matrix/places.ts'
import { askAs, eachOf, isPersonal } from '../../support/access-matrix/replies.ts'
import { startApp, type Answer } from '../../support/app.ts'
import { unlimitedServices } from '../../support/access-matrix/unlimited-services.ts'

/**
 * Hidden things below visible ones. The replies about the visible parent, its counts, totals, lists, pictures and what follows an episode, are
 * the same before the hidden ones exist and afterwards. The routes join by themselves.
 */

const [OPEN, HIDDEN] = ['zqopen', 'zqbelow']
const DAY = 10

const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** The values of the first parameter of a route: all visible parents that it can be asked for. */
function valuesOf(route: DeclaredRoute, open: ByKind, episodes: readonly string[]): string[] {
  const all = (of: keyof Planted, kinds: readonly Kind[] = KIND_NAMES): string[] => kinds.map((kind) => open[kind][of])
  const values: Partial<Record<string, string[]>> = {
    film: [
      ...all('itemId', ['movie', 'series', 'music', 'photo', 'audiobook']),
      open.series.childId,
      ...episodes.slice(0, 1),
    ],
    series: [open.series.itemId, open.series.childId],
    libraryId: all('libraryId'),
    collectionId: all('collectionId'),
    playlistId: all('playlistId'),
    track: all('itemId', ['music']),
    artist: [open.music.artistName],
    album: [open.music.albumName],
    photo: all('itemId', ['photo']),
    day: [`album-1970-01-${DAY + 1}`],
    month: ['1970-01'],
    book: all('itemId', ['book']),
    audiobook: all('itemId', ['audiobook']),
    jobId: all('jobId'),
  }
  return values[placeOf(route)?.hidden ?? ''] ?? []
}

/** A reply without what differs between any two. */
function stable({ status, text, headers }: Answer): string {
  const tag = headers.get('etag') === null ? '' : 'has a tag'
  return `${status} ${tag} ${text}`
    .replaceAll(/exp=\d+&sig=[\w.-]+/g, 'exp&sig')
    .replaceAll(/"(?:computedAt|updated_at|exported_at|last_used_at|timestamp)":"?[^",}]*"?/g, '')
}

void t.test(
  'the replies about a visible parent are the same with and without hidden children (AZ-11)',
  { timeout: 300_000 },
  async (t) => {
    const app = await startApp(t, { services: await unlimitedServices(t) })
    const { services, signIn } = app
    const { db } = services
    const admin = await app.registerAdmin()
    const common = { ownerId: admin.account.id, day: DAY, word: OPEN, rating: 'G' }
    const open = {} as ByKind
    for (const kind of KIND_NAMES) open[kind] = await plant(db, kind, common)
    const episodes = await plantOpenEpisodes(db, open, OPEN)
    const add = async (name: string, rule: Partial<AccessRule>) => {
      const input = { username: name, email: `${name}@example.test`, password: 'correct horse', isAdmin: false }
      const { id } = await createAccount(services, { ...input, access: { ...EVERYTHING, ...rule } })
      return { name, profileId: id, token: await signIn(id), sessionId: await plantSession(db, id) }
    }
    const addProfile = async () => {
      const { id } = await createProfile(services, {
        accountId: admin.account.id,
        fields: { name: 'Kid', isKids: true },
      })
      return {
        name: 'kid',
        profileId: id,
        token: await signIn(admin.account.id, id),
        sessionId: await plantSession(db, id),
      }
    }
    const viewers = [await add('blocked', { blockedTags: [`${HIDDEN} tag`] }), await addProfile()]
    for (const viewer of viewers) await plantHistory(db, { ...viewer, itemIds: episodes.slice(0, 1) })

    const routes = app.app.declaredRoutes.filter(
      (route) => isPersonal(route) && route.access !== 'guest' && route.method === 'GET' && !route.url.includes('*'),
    )
    const paths = routes.flatMap((route) => {
      if (!route.url.includes(':'))
        return [route.url, `${route.url}?libraryId=${open.series.libraryId}&library_id=${open.series.libraryId}`]
      const others: Record<string, string> = {
        ':index': '0',
        ':number': '0',
        ':stream': '1',
        ':quality': '720p',
        ':file': 'master.m3u8',
      }
      return valuesOf(route, open, episodes).map((value) =>
        route.url.replace(/:\w+/, encodeURIComponent(value)).replaceAll(/:\w+/g, (name) => others[name] ?? name),
      )
    })
    paths.push(
      ...[open.series.itemId, open.series.childId].map((id) => `/api/v1/media?parentId=${id}&include=user_data`),
      `/api/v1/media/search?q=${OPEN}`,
      `/api/v1/search?q=${OPEN}`,
      '/api/v1/media/index?field=year',
      '/api/v1/media/search/by-marker?type=intro&position=0&around=10',
      ...KIND_NAMES.map((kind) => `/api/v1/media/facets?libraryId=${open[kind].libraryId}`),
      `/api/v1/photo/photos?album_id=album-1970-01-${DAY + 1}`,
    )
    const posts = [
      ...[open.series, open.music].map(({ itemId }) => ({ path: '/api/v1/shuffle', body: { media_id: itemId } })),
      ...KIND_NAMES.map((kind) => ({
        path: `/api/v1/smart-playlists/${open[kind].playlistId}/preview`,
        body: { sort_by: 'title' },
      })),
    ]
    const requests = [
      ...paths.map((path) => ({ method: 'GET', path, body: undefined })),
      ...posts.map(({ path, body }) => ({ method: 'POST', path, body })),
    ]
    t.ok(requests.length > 300, `${requests.length} requests`)
    /** The replies of a viewer to all requests. */
    const replies = async (token: string): Promise<Map<string, string>> => {
      const found = new Map<string, string>()
      await eachOf(requests, async (request) => {
        const answer = await askAs(app, { token }, request)
        const isShuffled = request.path === '/api/v1/shuffle' && answer.status === 200
        const shown = isShuffled
          ? { ...answer, text: (JSON.parse(answer.text) as { message: string }).message }
          : answer
        found.set(`${request.method} ${request.path} ${JSON.stringify(request.body ?? null)}`, stable(shown))
      })
      return found
    }
    const before = new Map<string, Map<string, string>>()
    for (const { name, token } of viewers) before.set(name, await replies(token))
    const everything = await replies(admin.token)

    const hidden = await plantHiddenChildren(db, open, {
      word: HIDDEN,
      openWord: OPEN,
      ownerId: admin.account.id,
      day: DAY,
    })
    // Positions and marks from the time before they were hidden.
    for (const viewer of viewers) await plantHistory(db, { ...viewer, itemIds: hidden.slice(2) })

    for (const { name, token } of viewers) {
      const after = await replies(token)
      for (const [path, text] of after) {
        // The export has the rule of the account, with the blocked tag.
        if (!path.includes('/export'))
          t.notMatch(text, new RegExp(`${HIDDEN}|${hidden.join('|')}`), `${name}: ${path} says nothing hidden`)
        t.equal(text, before.get(name)?.get(path), `${name}: ${path} is unchanged`)
      }
    }
    const seen = await replies(admin.token)
    const changed = [...seen].filter(([path, text]) => text !== everything.get(path))
    t.ok(changed.length > 40, `who sees everything is told of them in ${changed.length} replies`)
  },
)
