import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createPasswordHashing } from '../src/core/platform/credentials/index.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'slonik'
import { createAccount } from '../src/core/accounts/index.ts'
import { createCollection, refreshCollection } from '../src/core/collections/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { openDatabase, type Database } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { systemClock } from '../src/core/platform/time/index.ts'
import { changeSmartPlaylist, createSmartPlaylist, previewSmartPlaylist } from '../src/core/smart-playlists/index.ts'
import { listTopItems, listTopUsers, listPlayDays } from '../src/core/statistics/index.ts'
import { fillCatalogue, FILMS } from './api-catalogue.ts'
import type { Figure } from './run.ts'
import { PHLIX, timed, untilStopped } from './start.ts'

const ITEMS = Number(process.env['PHLIX_BENCH_ITEMS'] ?? 1_000_000)
const PLAYS = Math.floor(ITEMS / 3)
const MEMBERS = Math.min(50_000, Math.floor(ITEMS / 4))
const TIMES = 5

const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })
const all = (...rules: object[]) => ({ logic: 'and', rules })
const any = (...rules: object[]) => ({ logic: 'or', rules })

/** Rules with three comparisons: from those that an index answers to those that need every item. */
const RULES: readonly { name: string; rules: object; sortBy?: string }[] = [
  {
    name: 'a genre, years and a score',
    rules: all(
      leaf('genre', 'equals', 'Genre 7'),
      leaf('year', 'between', [1990, 2000]),
      leaf('criticScore', 'gte', 7),
    ),
  },
  {
    name: 'one of two genres, not rated R',
    rules: all(leaf('genre', 'in', ['Genre 1', 'Genre 2']), leaf('rating', 'notEquals', 'R'), leaf('year', 'gt', 1980)),
  },
  {
    name: 'parts of names',
    rules: any(
      leaf('title', 'contains', 'gor'),
      leaf('actor', 'endsWith', ' 42'),
      leaf('genre', 'startsWith', 'Genre 1'),
    ),
  },
  {
    name: 'what an item does not say',
    rules: all(
      leaf('genre', 'notContains', '3'),
      leaf('title', 'notContains', 'zo'),
      leaf('actor', 'notIn', ['Actor 1', 'Actor 2']),
    ),
    sortBy: 'title',
  },
  {
    name: 'numbers alone, by chance',
    rules: any(leaf('year', 'lt', 1960), leaf('criticScore', 'gt', 9), leaf('addedAt', 'gte', '2026-01-05')),
    sortBy: 'random',
  },
]

/** Rules over a large library, the refresh of a smart collection, and statistics of many plays. */
export async function benchRules(): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'phlix-bench-rules-'))
  chmodSync(dataDirectory, 0o711)
  const config = loadConfig({ dataDirectory, environment: {} })
  const log = await createLogger(config, { level: 'error' })
  timed(PHLIX, ['migrate', '--data-dir', dataDirectory])
  const patient = await openDatabase({ config, log, statementTimeoutSeconds: 3600 })
  const database = await openDatabase({ config, log })
  try {
    // An account with favourites and positions.
    await maker(patient.pool)
    await fillCatalogue(patient.pool, ITEMS)
    return [
      ...(await tryRules(database.pool, patient.pool)),
      ...(await refresh(database.pool, patient.pool)),
      ...(await countPlays(database.pool, patient.pool)),
    ]
  } finally {
    await database.close()
    await patient.close()
    await untilStopped(dataDirectory)
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function maker(db: Database): Promise<{ id: string; isAdmin: boolean }> {
  const username = `maker-${Math.random().toString(36).slice(2, 10)}`
  const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: true }
  return {
    id: (await createAccount({ db, clock: systemClock, passwordHashing: createPasswordHashing() }, input)).id,
    isAdmin: true,
  }
}

/** The median of some calls, in milliseconds. */
async function median(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? Number.NaN
}

async function tryRules(db: Database, patient: Database): Promise<Figure[]> {
  const by = await maker(db)
  const services = { db, clock: systemClock }
  const input = { name: 'Tried', libraryId: FILMS, rules: all() }
  const { id } = await createSmartPlaylist(services, { by, input })
  const bare = () => patient.query(sql.unsafe`select count(metadata) from media_items where library_id = ${FILMS}`)
  const peer = await median(bare)
  const figures: Figure[] = []
  for (const { name, rules, sortBy } of RULES) {
    const ours = await median(() => previewSmartPlaylist({ db }, { id, input: { rules, sortBy } }))
    figures.push({ name: `try ${name}`, ours, peer, unit: 'ms', peerName: 'reading the rows' })
  }
  return figures
}

async function refresh(db: Database, patient: Database): Promise<Figure[]> {
  const by = await maker(db)
  const services = { db, clock: systemClock }
  const half = Math.floor(MEMBERS / 2)
  const films = (limit: number, isDescending: boolean) => ({ rules: all(), limit, sortBy: 'title', isDescending })
  const input = { name: 'Many', libraryId: FILMS, ...films(MEMBERS, false) }
  const playlist = await createSmartPlaylist(services, { by, input })
  const collection = await createCollection(services, {
    by,
    input: { name: 'Many', libraryId: FILMS, smartPlaylistId: playlist.id },
  })
  const which = { id: collection.id, by }
  const times: Record<string, number> = {}
  const step = async (name: string, wanted: { added: number; removed: number }): Promise<void> => {
    const started = performance.now()
    const done = await refreshCollection(services, which)
    times[name] = performance.now() - started
    if (JSON.stringify(done) !== JSON.stringify(wanted)) throw new Error(`${name}: ${JSON.stringify(done)}`)
  }
  await step('fill', { added: MEMBERS, removed: 0 })
  const before = await writtenTuples(db)
  await step('unchanged', { added: 0, removed: 0 })
  const written = (await writtenTuples(db)) - before
  await changeSmartPlaylist(services, { id: playlist.id, by, changes: films(half, false) })
  await step('halve', { added: 0, removed: MEMBERS - half })
  await changeSmartPlaylist(services, { id: playlist.id, by, changes: films(MEMBERS, true) })
  await step('other half', { added: MEMBERS, removed: half })
  const insertion = await insertMembers(patient, collection.id)
  const peer = { peer: insertion, unit: 'ms', peerName: 'bare inserts' } as const
  return [
    ...Object.entries(times).map(([name, ours]) =>
      Object.assign({ name: `refresh of ${MEMBERS}: ${name}`, ours }, peer),
    ),
    { name: 'rows written when unchanged', ours: written, peer: MEMBERS, unit: ' ', peerName: 'members' },
  ]
}

/** The time of the database to insert as many members into an empty collection in one statement. */
async function insertMembers(db: Database, id: string): Promise<number> {
  await db.query(sql.unsafe`delete from collection_items where collection_id = ${id}`)
  const started = performance.now()
  await db.query(sql.unsafe`
    insert into collection_items (collection_id, media_item_id, sort_order, added_at)
    select ${id}, i.id, row_number() over (), now() from (
      select id from media_items where library_id = ${FILMS} order by sort_key, id limit ${MEMBERS}) i`)
  return performance.now() - started
}

/** The number of rows that all statements have inserted, updated or deleted so far, in all tables. */
async function writtenTuples(db: Database): Promise<number> {
  // Processes update the statistics at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await db.query(sql.unsafe`select 1`)
  return Number(await db.oneFirst(sql.unsafe`select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables`))
}

async function countPlays(db: Database, patient: Database): Promise<Figure[]> {
  const people = await Promise.all(Array.from({ length: 20 }, () => maker(db)))
  await patient.query(sql.unsafe`
    insert into playback_records (session_id, profile_id, media_item_id, started_at, counted_at, completed_at, reached_ticks)
    select gen_random_uuid(), u.ids[1 + n % 20], i.id, c.at, c.at, c.at, 36000000000
    from (select id, row_number() over () as n from media_items where library_id = ${FILMS} limit ${PLAYS}) i,
      (select ${sql.array(
        people.map(({ id }) => id),
        'uuid',
      )} as ids) u,
      lateral (select now() - (i.n * 7919 % 31536000) * interval '1 second' as at) c`)
  await patient.query(sql.unsafe`vacuum (analyze) play_days`)
  const services = { db, clock: systemClock }
  const bare = () => db.query(sql.unsafe`select count(*) from playback_records`)
  const peer = { peer: await median(bare), unit: 'ms', peerName: 'counting the plays' } as const
  return [
    { name: `days of ${PLAYS} plays`, ours: await median(() => listPlayDays(services, { from: '-1 year' })), ...peer },
    { name: `top users of ${PLAYS} plays`, ours: await median(() => listTopUsers(services, {})), ...peer },
    { name: `top media of ${PLAYS} plays`, ours: await median(() => listTopItems(services, {})), ...peer },
    {
      name: 'top media of 30 days',
      ours: await median(() => listTopItems(services, { since: '-30 days' })),
      ...peer,
    },
  ]
}
