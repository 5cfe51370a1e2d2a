import { sql } from 'slonik'
import type { Database } from '../src/core/platform/database/index.ts'
import { FILMS, fillCatalogue, SERIES } from './api-catalogue.ts'
import { connectOurs, type Asker } from './api-clients.ts'
import { CLIENTS, itemsOr, timesOf } from './api.ts'
import type { Question } from './api-questions.ts'
import { PASSWORD, percentile } from './clients.ts'
import { createAccount, whileServingFilled } from './new-server.ts'
import type { Figure } from './run.ts'
import { PHLIX, timed } from './start.ts'

/** The third library, which the account with two libraries does not see: a tenth of the films. */
const HIDDEN = '00000000-0000-4000-8000-00000000000d'

/** The limits, as flags of `user:update`. */
const LIMITS = {
  'one library hidden': ['--library', FILMS, '--library', SERIES],
  'up to age 13': ['--max-rating', '13', '--allow-unrated'],
} as const

/** Pages of lists. The offset makes each request of a series different. */
const LISTS: Readonly<Record<string, (round: number) => string>> = {
  'all by name': (round) => `/media?topLevel=1&offset=${round % 500}`,
  'films by name': (round) => `/media?libraryId=${FILMS}&topLevel=1&offset=${round % 500}`,
  'all, newest first': (round) => `/media?topLevel=1&sort=added&order=desc&offset=${round % 500}`,
  'films of a genre': (round) => `/media?libraryId=${FILMS}&genre=Genre%20${round % 20}&offset=${round % 200}`,
  libraries: () => '/libraries',
}

const WARM_UP = 500
/** The accounts take many short turns, so that garbage collections and other load of the machine concern both. */
const TURNS = 20
const WAYS = [
  { name: 'closed loop', pauseMilliseconds: 0, requests: 200 },
  { name: 'with pauses', pauseMilliseconds: 250, requests: 100 },
] as const
const SHARES = [0.5, 0.99]

/** Durations in milliseconds for the limited and for the unlimited account. */
type Times = { ours: number[]; peer: number[] }

/**
 * The same pages for a limited account, against an unlimited one at the same daemon. The default catalogue is small; PHLIX_BENCH_ITEMS sets its
 * size.
 */
export async function benchLimitedLists(): Promise<Figure[]> {
  const fill = (database: Database): Promise<void> => fillLibraries(database, itemsOr(20_000))
  return whileServingFilled({ name: 'limited', isAdmin: false, fill }, async ({ port }, { dataDirectory }) => {
    const whole = await connectOurs({ port, password: PASSWORD, clients: CLIENTS })
    const figures: Figure[] = []
    for (const [index, [limit, flags]] of Object.entries(LIMITS).entries()) {
      const username = `limited-${index}`
      createAccount(dataDirectory, username)
      timed(PHLIX, ['user:update', username, ...flags, '--data-dir', dataDirectory])
      const limited = await connectOurs({ port, password: PASSWORD, clients: CLIENTS, username })
      figures.push(...(await compareLists(limit, { limited, whole })))
      await limited.close()
    }
    await whole.close()
    return figures
  })
}

/** @returns a figure for each list, and one for the pages of all lists together */
async function compareLists(limit: string, accounts: { limited: Asker; whole: Asker }): Promise<Figure[]> {
  const all = new Map<string, Times>(WAYS.map((way) => [way.name, { ours: [], peer: [] }]))
  const figures: Figure[] = []
  for (const [list, path] of Object.entries(LISTS)) {
    for (const [way, times] of await measureList({ name: list, path }, accounts)) {
      figures.push(...describe(`${list}, ${limit}, ${way}`, times))
      all.get(way)?.ours.push(...times.ours)
      all.get(way)?.peer.push(...times.peer)
    }
  }
  for (const [way, times] of all) figures.push(...describe(`pages of all lists, ${limit}, ${way}`, times))
  return figures
}

async function measureList(
  list: Pick<Question, 'name' | 'path'>,
  { limited, whole }: { limited: Asker; whole: Asker },
): Promise<Map<string, Times>> {
  const question: Question = { ...list, bare: () => ({ text: '', values: [] }), isSameOrder: false }
  for (const asker of [whole, limited]) await timesOf(question, asker, { pauseMilliseconds: 0, requests: WARM_UP })
  const measured = new Map<string, Times>()
  for (const way of WAYS) {
    const times: Times = { ours: [], peer: [] }
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.ours.push(...(await timesOf(question, limited, way)))
      times.peer.push(...(await timesOf(question, whole, way)))
    }
    measured.set(way.name, times)
  }
  return measured
}

function describe(name: string, times: Times): Figure[] {
  return SHARES.map((share) => ({
    name: `${name}, p${share * 100}`,
    ours: percentile(times.ours, share),
    peer: percentile(times.peer, share),
    unit: 'ms',
    peerName: 'unlimited account',
  }))
}

/** What the triggers would have written for the limits is written afterwards, as when an older database is migrated. */
async function fillLibraries(db: Database, items: number): Promise<void> {
  await fillCatalogue(db, items, { changeItems: hideItems })
  await db.query(sql.unsafe`delete from item_tallies`)
  await db.query(sql.unsafe`
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, count(*)
      from media_items i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5`)
  await db.query(sql.unsafe`vacuum (analyze)`)
}

/** Moves a tenth of the films to the hidden library, and stores the ages. */
async function hideItems(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    insert into libraries (id, name, type, created_at, updated_at) values (${HIDDEN}, 'Hidden', 'movie', now(), now())`)
  await db.query(sql.unsafe`
    update media_items set library_id = ${HIDDEN} where library_id = ${FILMS} and abs(hashtext(id::text)) % 10 = 0`)
  await db.query(sql.unsafe`
    update media_items set access_age = item_stated_age(metadata, local_metadata), is_unrated = false where metadata ? 'rating'`)
  await db.query(sql.unsafe`
    update media_items i set access_age = top.access_age, is_unrated = false
    from media_items top left join media_items season on season.parent_id = top.id
    where top.parent_id is null and top.type = 'series' and i.parent_id in (top.id, season.id)`)
}
