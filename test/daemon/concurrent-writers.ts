import type { Test } from 'tap'
import { pick, startApp, type TestApp } from '../support/app.ts'
import { makeItems } from '../support/catalogue-items.ts'
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts'

const SECOND = 10_000_000

/** The expected state of one user: the last write for each item. */
type Expected = {
  favourites: Set<string>
  ratings: Map<string, number>
  likes: Map<string, number>
  positions: Map<string, number>
  chapter: number
}

type Person = { token: string; sessionId: string; expected: Expected; statuses: Set<number> }

async function begin({ ask }: TestApp, token: string): Promise<Person> {
  const { json } = await ask('POST', '/api/v1/sessions', { token })
  const sessionId = String(pick(json, 'session_id'))
  const [ratings, likes, positions] = [new Map(), new Map(), new Map()]
  const expected = { favourites: new Set<string>(), ratings, likes, positions, chapter: 0 }
  return { token, sessionId, expected, statuses: new Set() }
}

/** One write. Only later writes of the same user may overwrite it. */
async function write({ ask }: TestApp, person: Person, items: readonly string[], { below: roll }: SeededRandom) {
  const { token, sessionId, expected, statuses } = person
  const book = items[0] ?? ''
  const item = items[1 + roll(items.length - 1)] ?? ''
  const value = 1 + roll(10)
  const say = async (method: string, path: string, body?: object): Promise<void> => {
    const { status } = await ask(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
    statuses.add(status)
  }
  switch (roll(6)) {
    case 0:
      expected.favourites.add(item)
      return say('POST', `/media/${item}/favorite`)
    case 1:
      expected.favourites.delete(item)
      return say('DELETE', `/media/${item}/favorite`)
    case 2:
      expected.ratings.set(item, value)
      return say('PUT', `/media/${item}/rating`, { rating: value })
    case 3:
      expected.likes.set(item, (value % 5) - 2)
      return say('PUT', `/media/${item}/like`, { level: (value % 5) - 2 })
    case 4:
      expected.chapter = value % 3
      return say('POST', `/audiobooks/${book}/progress`, { position_ms: 1000, current_chapter_index: value % 3 })
    default:
      expected.positions.set(item, value * SECOND)
      return say('POST', `/sessions/${sessionId}/progress`, {
        media_item_id: item,
        position_ticks: value * SECOND,
        duration_ticks: 100 * SECOND,
      })
  }
}

/** The state that the server returns. */
async function read({ ask }: TestApp, { token }: Person, [book = '', ...items]: readonly string[]): Promise<Expected> {
  const get = async (path: string) => (await ask('GET', `/api/v1${path}`, { token })).json
  const idsOf = (json: unknown) => (pick(json, 'items') as { id: string }[]).map(({ id }) => id)
  const [ratings, likes, positions] = [new Map(), new Map(), new Map()]
  for (const id of items) {
    const words = pick(await get(`/media/${id}`), 'user_data')
    if (pick(words, 'rating') !== null) ratings.set(id, pick(words, 'rating'))
    if (pick(words, 'like_level') !== 0) likes.set(id, pick(words, 'like_level'))
  }
  const rail = pick(await get('/me/continue-watching?limit=50'), 'items') as { id: string; position_ticks: number }[]
  for (const row of rail) positions.set(row.id, row.position_ticks)
  const chapter = pick(await get(`/audiobooks/${book}/progress`), 'current_chapter_index') as number
  return { favourites: new Set(idsOf(await get('/users/me/favorites?limit=100'))), ratings, likes, positions, chapter }
}

/** Sorts sets and maps, so that they do not depend on the order of writes; a like of 0 counts as none. */
function inOrder({ favourites, ratings, likes, positions, chapter }: Expected): object {
  const sorted = (map: Map<string, number>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    favourites: [...favourites].toSorted(),
    ratings: sorted(ratings),
    likes: sorted(likes).filter(([, level]) => level !== 0),
    positions: sorted(positions),
    chapter,
  }
}

/** Two users write at the same time, with the given number of writes each. The values depend on the seed only. */
export async function writeConcurrently(t: Test, { seed, writes }: { seed: number; writes: number }): Promise<void> {
  const server = await startApp(t)
  const chapters = [0, 1, 2].map((n) => ({ startSeconds: n * 60, endSeconds: (n + 1) * 60, title: `${n}` }))
  const films = Array.from({ length: 12 }, () => ({}))
  const items = await makeItems(server.services.db, t.testdir(), [
    { type: 'audiobook', chapters, durationSeconds: 180 },
    ...films,
  ])
  const people = [
    await begin(server, (await server.registerUser()).token),
    await begin(server, (await server.registerAdmin()).token),
  ]
  await Promise.all(
    people.map(async (person, index) => {
      const random = seededRandom(seed + index)
      // Sequential for each user, so that the last write is known; both users concurrently.
      for (let count = 0; count < writes; count += 1) await write(server, person, items, random)
    }),
  )
  for (const person of people) {
    t.strictSame(
      [...person.statuses].filter((status) => status >= 300),
      [],
      'every write is accepted',
    )
    t.strictSame(inOrder(await read(server, person, items)), inOrder(person.expected))
  }
  const stranger = await server.ask('GET', `/api/v1/sessions/${people[0]?.sessionId}/progress`, {
    token: people[1]?.token ?? '',
  })
  t.equal(stranger.status, 403, 'a session is its owner’s')
}
