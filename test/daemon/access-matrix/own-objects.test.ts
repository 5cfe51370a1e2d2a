import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import t from 'tap'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { plant } from '../../support/access-canaries.ts'
import { placeOf } from '../../support/access-matrix/places.ts'
import { askAs, inSafeOrder, isPersonal, nameOf, replyWithout } from '../../support/access-matrix/replies.ts'
import { startApp } from '../../support/app.ts'

/**
 * What an account has of its own and what refers to an item that was hidden from it later: sessions, media requests, players, watch groups and
 * links. The reply is that for one without the item. Routes join by themselves.
 */

const MOMENT = '2026-01-02T03:04:05Z'

type Pair = { withHidden: string; without: string }

void t.test('own objects that refer to a hidden item do not show it (AZ-11)', async (t) => {
  const app = await startApp(t)
  const { services, ask } = app
  const { db } = services
  const admin = await app.registerAdmin()
  const common = { ownerId: admin.account.id, day: 1 }
  const { libraryId } = await plant(db, 'movie', { ...common, word: 'zqopen', rating: 'G' })
  const hidden = await plant(db, 'movie', { ...common, word: 'zqhidden', rating: 'NC-17', libraryId })
  const input = { username: 'child', email: 'child@example.test', password: 'correct horse', isAdmin: false }
  const { id } = await createAccount(services, { ...input, access: { ...EVERYTHING, maxAge: 12, allowsUnrated: true } })
  const token = await app.signIn(id)
  const idOf = async (statement: ReturnType<typeof sql.unsafe>) => String(await db.oneFirst(statement))

  const session = async (itemId: string | null): Promise<string> => {
    const sessionId = await idOf(sql.unsafe`
      insert into playback_sessions (profile_id, created_at, updated_at) values (${id}, ${MOMENT}, ${MOMENT}) returning id`)
    if (itemId !== null) {
      await db.query(sql.unsafe`
        insert into playback_states (session_id, profile_id, media_item_id, status, position_ticks, duration_ticks, started_at, updated_at)
        values (${sessionId}, ${id}, ${itemId}, 'playing', 300000000, 1000000000, ${MOMENT}, ${MOMENT})`)
    }
    return sessionId
  }
  const request = (status: 'available' | 'approved') =>
    idOf(sql.unsafe`
      insert into media_requests (user_id, type, catalog_id, title, status, created_at, updated_at, arrived_at)
      values (${id}, 'movie', 1, 'A title', ${status}, ${MOMENT}, ${MOMENT}, ${status === 'available' ? '2026-02-02T03:04:05Z' : null})
      returning id`)
  const player = (mediaItemId: string | null): string => {
    const playerId = randomUUID()
    const names = { username: 'child', deviceName: 'Player', deviceType: 'tv' }
    services.players.add({ id: playerId, accountId: id, profileId: id, ...names }, () => Promise.resolve())
    services.players.update(playerId, { mediaItemId, positionMilliseconds: 1000, isPaused: false })
    return playerId
  }
  const group = async (): Promise<string> => {
    const joiner = { profileId: admin.account.id, username: 'admin', sessionId: randomUUID(), reportsReadiness: false }
    const made = await services.watchGroups.create({ name: 'zqhidden evening', isPublic: true }, joiner)
    const step = {
      kind: 'media',
      memberId: made.seat.memberId,
      mediaId: hidden.itemId,
      position: 0,
      durationMilliseconds: null,
    } as const
    services.watchGroups.dispatch(made.group.id, step)
    return made.group.id
  }
  const share = (subjectId: string) =>
    idOf(sql.unsafe`
      insert into shares (user_id, profile_id, kind, subject_id, digest, allows_download, created_at, expires_at)
      values (${id}, ${id}, 'item', ${subjectId}, ${sql.binary(randomBytes(32))}, false, ${MOMENT}, '2099-01-01T00:00:00Z') returning id`)

  const PAIRS: Readonly<Record<string, () => Promise<Pair>>> = {
    session: async () => ({ withHidden: await session(hidden.itemId), without: await session(null) }),
    request: async () => ({ withHidden: await request('available'), without: await request('approved') }),
    player: () => Promise.resolve({ withHidden: player(hidden.itemId), without: player(null) }),
    // It is not known at all.
    group: async () => ({ withHidden: await group(), without: randomUUID() }),
    share: async () => ({ withHidden: await share(hidden.itemId), without: await share(randomUUID()) }),
  }
  const routes = app.app.declaredRoutes.filter((route) => isPersonal(route))
  const ofOwn = inSafeOrder(routes).filter((route) => PAIRS[placeOf(route)?.hidden ?? ''] !== undefined)
  t.ok(ofOwn.length > 8, `${ofOwn.length} routes`)

  await t.test('a route with its id answers as for one without the item', async (t) => {
    for (const route of ofOwn) {
      const pair = (await PAIRS[placeOf(route)?.hidden ?? '']?.()) ?? { withHidden: '', without: '' }
      const replies = []
      for (const value of [pair.withHidden, pair.without]) {
        const body = route.url.endsWith('/command') ? { command: 'pause' } : {}
        const answer = await askAs(
          app,
          { token },
          { method: route.method, path: route.url.replace(/:\w+/, value), body },
        )
        t.notMatch(answer.text, /zqhidden/, nameOf(route))
        replies.push(replyWithout(answer, value))
      }
      t.equal(replies[0], replies[1], nameOf(route))
    }
  })

  await t.test('no list names the item, and its entries are as those without it', async (t) => {
    const made: Pair[] = []
    for (const make of Object.values(PAIRS)) made.push(await make())
    for (const { url } of routes.filter(({ method, url }) => method === 'GET' && !/[:*]/.test(url))) {
      const { text } = await ask('GET', url, { token })
      const json: unknown = text === '' ? null : JSON.parse(text)
      t.notOk(text.includes(hidden.itemId) || text.includes('zqhidden'), `${url} does not name it`)
      for (const { withHidden, without } of made) t.equal(entryOf(json, withHidden), entryOf(json, without), url)
    }
  })
})

/** The entry of a list that has an id, without the id; undefined if there is none. */
function entryOf(value: unknown, id: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const texts: unknown[] = Object.values(value)
  if (texts.includes(id)) return JSON.stringify(value).replaceAll(id, 'ID')
  return texts.map((one) => entryOf(one, id)).find((entry) => entry !== undefined)
}
