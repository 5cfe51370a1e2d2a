import { sql } from 'slonik'
import t from 'tap'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { KINDS, plant, plantSession, type Kind, type Planted } from '../../support/access-canaries.ts'
import { routesWithIdFields, type IdField } from '../../support/access-matrix/id-fields.ts'
import { askAs, replyWithout, unknownValue } from '../../support/access-matrix/replies.ts'
import { pick, startApp } from '../../support/app.ts'

/** Ids in bodies, queries and later parts of addresses. The fields are those of the schemas: new ones join by themselves. */

/** Fields whose values name no item, library, list or album. */
const OTHER_IDS: Readonly<Record<string, string>> = {
  device_id: 'the client chooses it',
  catalog_id: 'a number of a catalogue outside of this server',
  tmdb_id: 'the same',
  downloadId: 'an id of a subtitle provider',
  download_id: 'the same',
  memberId: 'accepted and not read',
}

/** What a value of a field names, and the own objects of the caller that the request needs. */
type Own = Record<
  'libraryId' | 'itemId' | 'collectionId' | 'playlistId' | 'sessionId' | 'playerId' | 'day' | 'month',
  string
>
type Naming = keyof Planted | 'photoDay'

const NAMED: Readonly<Record<string, Naming>> = {
  media_item_id: 'itemId',
  media_item_ids: 'itemId',
  media_id: 'itemId',
  item_id: 'itemId',
  itemId: 'itemId',
  parentId: 'itemId',
  library_id: 'libraryId',
  libraryId: 'libraryId',
  smart_playlist_id: 'playlistId',
  parent_id: 'collectionId',
  collection_id: 'collectionId',
}

/** Where a field means something else. */
const NAMED_BY_ROUTE: Readonly<Record<string, Naming>> = {
  'POST /api/v1/me/shares body album_id': 'albumId',
  'GET /api/v1/photo/photos query album_id': 'photoDay',
  'GET /api/v1/photo/slideshow query album_id': 'photoDay',
}

/** What a body needs besides. */
const BODIES: Readonly<Record<string, (own: Own) => object>> = {
  'POST /api/v1/collections': ({ libraryId }) => ({ name: 'mine', library_id: libraryId }),
  'POST /api/v1/playlists': () => ({ name: 'mine' }),
  'POST /api/v1/smart-playlists': () => ({
    name: 'mine',
    rules_json: { logic: 'and', rules: [{ field: 'title', op: 'contains', value: 'a' }] },
  }),
  'POST /api/v1/sessions/:id/progress': () => ({ position_ticks: 1 }),
  'POST /api/v1/me/players/:id/command': () => ({ command: 'play' }),
}

/** What a query needs besides. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/v1/media/search': 'q=zq&',
  'GET /api/v1/media/index': 'field=name&',
}

/** Requests that ignore an id that names nothing, also for who may see it. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'PUT /api/v1/smart-playlists/:id body library_id': 'the library of a smart playlist does not change',
  'PUT /api/v1/collections/:id body media_item_ids': 'an order: ids that are not in the collection are not read',
}

/** What stands for the first parameter. */
const FIRST: Readonly<Record<string, keyof Own>> = {
  '/sessions/': 'sessionId',
  '/players/': 'playerId',
  '/smart-playlists/': 'playlistId',
  '/collections/': 'collectionId',
  '/playlists/': 'collectionId',
  '/albums/': 'day',
  '/timeline/': 'month',
}

const nameOf = ({ route, place, field }: IdField): string => `${route} ${place} ${field}`

function requestOf({ route, place, field }: IdField, value: string, own: Own) {
  const [method = '', url = ''] = route.split(' ')
  const [, owning = 'itemId'] = Object.entries(FIRST).find(([part]) => url.includes(part)) ?? []
  const first = own[owning]
  const path = (place === 'path' ? url.replace(`:${field}`, value) : url).replace(/:\w+/, first)
  const query = place === 'query' ? `?${QUERIES[route] ?? ''}${field}=${encodeURIComponent(value)}` : ''
  const given = place === 'body' ? { [field]: field.endsWith('ids') ? [value] : value } : {}
  return { method, path: `${path}${query}`, body: { ...BODIES[route]?.(own), ...given } }
}

/** The kind of what is asked for: one that the route lists. */
function kindOf({ route, field }: IdField, naming: Naming): Kind {
  if (field === 'parentId') return 'series'
  if (naming === 'albumId') return 'music'
  const kinds: Readonly<Record<string, Kind>> = {
    '/photo/': 'photo',
    '/music/': 'music',
    '/audiobooks': 'audiobook',
    '/books': 'book',
  }
  return Object.entries(kinds).find(([part]) => route.includes(part))?.[1] ?? 'movie'
}

void t.test(
  'an id of something hidden in a request is answered as an unknown one, and stored nowhere (AZ-11)',
  async (t) => {
    const { routes, fields } = routesWithIdFields()
    const app = await startApp(t, { routes })
    const { services } = app
    const { db } = services
    const admin = await app.registerAdmin()
    const plantIn = async (word: string, rating: string, day: number) => {
      const common = { word, rating, ownerId: admin.account.id, day }
      const planted = {} as Record<Kind, Planted>
      for (const kind of Object.keys(KINDS) as Kind[]) planted[kind] = await plant(db, kind, common)
      return { planted, photoDay: `album-1970-01-${day + 1}` }
    }
    const open = await plantIn('zqopen', 'G', 10)
    const hidden = await plantIn('zqhidden', 'NC-17', 20)
    const librariesOf = (world: typeof open): string[] => Object.values(world.planted).map(({ libraryId }) => libraryId)
    const add = async (name: string, libraryIds: string[], home: typeof open) => {
      const access = { ...EVERYTHING, libraryIds }
      const input = { username: name, email: `${name}@example.test`, password: 'correct horse', isAdmin: false, access }
      const account = await createAccount(services, input)
      const token = await app.signIn(account.id)
      const { libraryId } = home.planted.movie
      const made = await app.ask('POST', '/api/v1/collections', { token, body: { name, library_id: libraryId } })
      const collectionId = String(pick(made.json, 'collection', 'id'))
      const listed = { name, library_id: libraryId, ...BODIES['POST /api/v1/smart-playlists']?.({} as Own) }
      const playlist = await app.ask('POST', '/api/v1/smart-playlists', { token, body: listed })
      const playerId = crypto.randomUUID()
      const device = { username: name, deviceName: 'Player', deviceType: 'tv' }
      services.players.add({ id: playerId, accountId: account.id, profileId: account.id, ...device }, () =>
        Promise.resolve(),
      )
      const sessionId = await plantSession(db, account.id)
      const itemId = open.planted.movie.itemId
      const playlistId = String(pick(playlist.json, 'id'))
      const own = {
        libraryId,
        itemId,
        collectionId,
        playlistId,
        sessionId,
        playerId,
        day: home.photoDay,
        month: '1970-01',
      }
      return { name, token, own }
    }
    const blind = await add('blind', librariesOf(open), open)
    const seeing = await add('seeing', [...librariesOf(open), ...librariesOf(hidden)], hidden)

    const valueOf = (field: IdField, world: typeof open): string | undefined => {
      const naming = NAMED_BY_ROUTE[nameOf(field)] ?? NAMED[field.field]
      if (naming === 'photoDay') return world.photoDay
      return naming === undefined ? undefined : world.planted[kindOf(field, naming)][naming]
    }
    const asked = fields().filter(({ field }) => OTHER_IDS[field] === undefined)
    t.ok(asked.length > 30, `${asked.length} fields`)

    /** The rows of all tables that name something hidden. */
    const naming = async (): Promise<unknown[]> => {
      const tables = await db.anyFirst(sql.unsafe`
      select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
      const ids = Object.values(hidden.planted).flatMap((planted) => Object.values(planted))
      const counts = tables.map(
        (name) => sql.fragment`
        select ${String(name)} as name, count(*)::int as count from ${sql.identifier([String(name)])} t
        where t::text like any (${sql.array(
          ids.map((id) => `%${id}%`),
          'text',
        )})`,
      )
      return [...(await db.any(sql.unsafe`${sql.join(counts, sql.fragment` union all `)} order by 1`))]
    }

    const before = await naming()
    for (const field of asked) {
      const value = valueOf(field, hidden)
      if (value === undefined) {
        t.fail(`${nameOf(field)}: say what it names`)
        continue
      }
      const unknown = unknownValue(value)
      const replies = []
      for (const one of [value, unknown]) {
        const reply = replyWithout(await askAs(app, blind, requestOf(field, one, blind.own)), one)
        replies.push(reply.replaceAll(/"updated_at":"[^"]*"/g, ''))
      }
      t.equal(replies[0], replies[1], nameOf(field))
    }
    t.strictSame(await naming(), before, 'nothing was stored')

    for (const field of asked) {
      const value = valueOf(field, hidden)
      if (value === undefined || WITHOUT_EFFECT[nameOf(field)] !== undefined) continue
      const [real, none] = [
        await askAs(app, seeing, requestOf(field, value, seeing.own)),
        await askAs(app, seeing, requestOf(field, unknownValue(value), seeing.own)),
      ]
      t.ok(
        real.status < 300,
        `who may see it: ${nameOf(field)} answers ${real.status} ${real.status < 300 ? '' : real.text}`,
      )
      t.not(replyWithout(real, value), replyWithout(none, unknownValue(value)), `${nameOf(field)} has an effect`)
    }
  },
)
