import type { Test } from 'tap'
import { createAccount } from '../../../../src/core/accounts/index.ts'
import { pick, startApp, type TestApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const SECOND = 10_000_000
const DURATION = 100 * SECOND

type Place = { ticks: number; isStopped: boolean; number: number }

/** Reference model of the resume position: the newest position per item over all sessions. */
class Model {
  readonly sessions = new Map<string, Map<string, Place>>()
  #number = 0

  write(session: string, item: string, place: Omit<Place, 'number'> | undefined): void {
    const places = this.sessions.get(session) ?? new Map<string, Place>()
    this.sessions.set(session, places)
    if (place === undefined) places.delete(item)
    else if (places.get(item)?.isStopped === true && place.ticks * 10 >= DURATION * 9) return
    else places.set(item, { ...place, number: (this.#number += 1) })
  }

  /** Completing a stopped item changes nothing. */
  finish(session: string, item: string): void {
    if (this.sessions.get(session)?.get(item)?.isStopped === true) return
    this.write(session, item, { ticks: 0, isStopped: true })
  }

  rail(): [item: string, ticks: number][] {
    const newest = new Map<string, Place>()
    for (const places of this.sessions.values()) {
      for (const [item, place] of places) {
        if ((newest.get(item)?.number ?? 0) < place.number) newest.set(item, place)
      }
    }
    return [...newest]
      .filter(([, { ticks, isStopped }]) => !isStopped && ticks > 0 && ticks * 100 < DURATION * 95)
      .toSorted(([, a], [, b]) => b.number - a.number)
      .map(([item, { ticks }]) => [item, ticks])
  }
}

type Films = { items: readonly string[]; books: readonly string[] }

/** The actions of one user: reports, completions, ended sessions, books; each write waits for the previous one. */
async function play(
  { ask }: TestApp,
  { token, seed, writes: count }: { token: string; seed: number; writes: number },
  { items, books }: Films,
) {
  const { below: roll } = seededRandom(seed)
  const model = new Model()
  const chapters = new Map<string, number>()
  const post = (path: string, body: object) => ask('POST', `/api/v1${path}`, { token, body })
  const start = async () => String(pick((await post('/sessions', {})).json, 'session_id'))
  const sessions = [await start(), await start(), await start()]
  const writes = [
    (session: string, item: string) => {
      const ticks = roll(101) * SECOND
      model.write(session, item, { ticks, isStopped: false })
      const body = { media_item_id: item, position_ticks: ticks, duration_ticks: DURATION, is_paused: roll(2) === 0 }
      return post(`/sessions/${session}/progress`, body)
    },
    (session: string, item: string) => {
      model.finish(session, item)
      return post(`/sessions/${session}/complete`, { media_item_id: item, reached_end: true })
    },
    (session: string, item: string) => {
      model.write(session, item, undefined)
      return post(`/sessions/${session}/complete`, { media_item_id: item, reached_end: false })
    },
    async (session: string) => {
      sessions[sessions.indexOf(session)] = await start()
      return ask('DELETE', `/api/v1/sessions/${session}`, { token })
    },
    () => {
      const [book = '', chapter] = [books[roll(books.length)], roll(5)]
      chapters.set(book, chapter)
      return post(`/audiobooks/${book}/progress`, { position_ms: roll(100), current_chapter_index: chapter })
    },
  ]
  const statuses = new Set<number>()
  for (let round = 0; round < count; round += 1) {
    const write = writes[Math.max(roll(10) - 5, 0)]
    const answer = await write?.(sessions[roll(sessions.length)] ?? '', items[roll(items.length)] ?? '')
    statuses.add(answer?.status ?? 0)
  }
  return { token, model, chapters, statuses }
}

/** Two users use the player and read books at the same time, with the given number of writes each. */
export async function playConcurrently(t: Test, { seed, writes }: { seed: number; writes: number }): Promise<void> {
  const app = await startApp(t)
  const { services, signIn, ask } = app
  const chapters = Array.from({ length: 5 }, (_, index) => ({
    startSeconds: index,
    endSeconds: index + 1,
    title: null,
  }))
  const book = { type: 'audiobook', chapters } as const
  const made = await makeItems(services.db, t.testdir(), [...Array.from({ length: 8 }, () => ({})), book, book, book])
  const films = { items: made.slice(0, 8), books: made.slice(8) }
  const evening = async (username: string, seed: number) => {
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false }
    const token = await signIn((await createAccount(services, input)).id)
    return play(app, { token, seed, writes }, films)
  }
  for (const { token, model, chapters: expected, statuses } of await Promise.all([
    evening('ann', seed),
    evening('bob', seed + 1),
  ])) {
    t.strictSame([...statuses], [200])
    const { json } = await ask('GET', '/api/v1/me/continue-watching?limit=50', { token })
    const rail = (pick(json, 'items') as unknown[]).map((row) => [pick(row, 'id'), pick(row, 'position_ticks')])
    t.strictSame(rail, model.rail())
    t.ok(rail.length > 0, 'continue-watching is not empty')
    for (const id of films.books) {
      const { json: place } = await ask('GET', `/api/v1/audiobooks/${id}/progress`, { token })
      t.equal(pick(place, 'current_chapter_index'), expected.get(id))
    }
  }
}
