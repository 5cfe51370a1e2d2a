import { Client } from 'pg'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { addToCollection, createPlaylist, deleteCollection } from '../../src/core/collections/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import { makeUser } from '../support/catalogue-items.ts'
import { testDatabase } from '../support/database.ts'
import { reachableDirectory } from '../support/directories.ts'
import { startFakeTmdb } from '../support/fake-tmdb.ts'
import { runJob, tmdbFlags } from '../support/metadata.ts'
import { makeLibrary } from '../support/records.ts'
import { itemsByPath, putSample } from '../support/scanning.ts'
import { testServices } from '../support/services.ts'

/** Number of jobs that the history of a library keeps. */
const KEPT_JOBS = 200

/** A scanned library of films that a provider knows. */
export async function makeGrowingLibrary(t: Test, { films }: { films: number }) {
  const titles = Array.from({ length: films }, (_, index) => `Known ${index}`)
  const fake = await startFakeTmdb(
    t,
    titles.map((title, index) => ({ id: index + 1, kind: 'movie' as const, title, date: '1999-01-01' })),
  )
  const database = await testDatabase(t)
  const services = await testServices(t, { database, flags: tmdbFlags(fake) })
  const folder = reachableDirectory(t)
  for (const title of titles) await putSample(folder, `${title} (1999).mp4`)
  const { db } = services
  const library = await makeLibrary(db, folder, {})
  const run = async (type: Parameters<typeof runJob>[2]): Promise<void> => {
    t.match(await runJob(services, library.id, type), { status: 'completed', itemsFailed: 0 }, type)
  }
  await run('scan')
  const itemIds = [...(await itemsByPath(db, library, folder)).values()].map(({ id }) => id)
  t.equal(itemIds.length, films)
  const client = new Client({ connectionString: database.connectionUri })
  await client.connect()
  t.teardown(() => client.end())
  return { services, library, itemIds, run, client }
}

export type GrowingLibrary = Awaited<ReturnType<typeof makeGrowingLibrary>>

/** Tables with times of a scan: its job, and the last search for theme songs. */
const DATED_BY_SCANS = new Set(['scan_jobs', 'theme_media'])

/** Scans and rescans unchanged files repeatedly: no other row is written. */
export async function scanUnchanged(t: Test, { services, run }: GrowingLibrary, scans: number): Promise<void> {
  // The match that follows a scan writes its result.
  await run('metadata')
  const before = await countWrittenRows(services.db)
  for (let scan = 0; scan < scans; scan += 1) await run(scan % 4 === 3 ? 'rescan' : 'scan')
  const after = await countWrittenRows(services.db, before.next)
  t.strictSame(exceptDated(after.written), {}, `${scans} scans write no row of another table`)
  t.strictSame(exceptDated(after.counts), exceptDated(before.counts), 'and remove none')
}

function exceptDated(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([table]) => !DATED_BY_SCANS.has(table)))
}

/** Scans a library with a long history once more: only the newest jobs are kept. */
export async function prunesOldJobs(t: Test, { services, library, run }: GrowingLibrary): Promise<void> {
  await services.db.query(sql.unsafe`
    insert into scan_jobs (id, library_id, type, status, queued_at, started_at, completed_at)
    select gen_random_uuid(), ${library.id}, 'scan', 'completed', at, at, at
    from (select timestamptz '2001-01-01' + n * interval '1 hour' as at from generate_series(1, ${2 * KEPT_JOBS}) n) old`)
  await run('scan')
  const kept = await services.db.oneFirst(sql.unsafe`select count(*) from scan_jobs where library_id = ${library.id}`)
  t.equal(kept, KEPT_JOBS)
}

/**
 * Clears and refreshes metadata, and creates and deletes playlists, in cycles. After each the database is vacuumed, as autovacuum does in
 * time; from then on no table grows.
 */
export async function repeatChanges(
  t: Test,
  library: GrowingLibrary,
  { cycles, playlists }: { cycles: number; playlists: number },
): Promise<void> {
  const { services, run, client } = library
  const by = { id: await makeUser(services.db, 'curator'), isAdmin: false }
  const sizes: Record<string, number>[] = []
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await run('clear_metadata')
    await run('metadata')
    await makeAndDeletePlaylists(library, { by, playlists })
    await client.query('vacuum')
    sizes.push(await tableBytes(client))
  }
  t.comment(JSON.stringify(sizes.map(sum)))
  const [settled = {}, last = {}] = [sizes[Math.floor(cycles / 2)], sizes.at(-1)]
  const grown = Object.keys(last).filter((table) => Number(last[table]) > Number(settled[table]) * GROWTH)
  t.strictSame(grown, [], 'no table grows from cycle to cycle')
  const { rows } = await client.query(`select count(*)::int as count from collections`)
  t.strictSame(rows, [{ count: 0 }])
}

/** Maximum growth: a vacuum leaves some free space, whose use varies. */
const GROWTH = 1.5

async function makeAndDeletePlaylists(
  { services, library, itemIds }: GrowingLibrary,
  { by, playlists }: { by: { id: string; isAdmin: boolean }; playlists: number },
): Promise<void> {
  const made: string[] = []
  for (let playlist = 0; playlist < playlists; playlist += 1) {
    const { id } = await createPlaylist(services, {
      by,
      input: { name: `Playlist ${playlist}`, libraryId: library.id },
    })
    await addToCollection(services, { id, by, itemIds })
    made.push(id)
  }
  for (const id of made) await deleteCollection(services, { id, by })
}

type Rows = {
  counts: Record<string, number>
  /** Number of rows written since, for tables that have any. */
  written: Record<string, number>
  /** Transaction id from which on the next call counts writes. */
  next: string
}

/** @param since `next` of an earlier call; xmin of a row is the transaction that wrote it (PostgreSQL, System Columns) */
async function countWrittenRows(db: Database, since?: string): Promise<Rows> {
  const names = await db.anyFirst(sql.unsafe`
    select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`)
  const next = String(await db.oneFirst(sql.unsafe`select pg_snapshot_xmax(pg_current_snapshot())::text`))
  const rows: Rows = { counts: {}, written: {}, next }
  for (const name of names.map(String)) {
    const row = (await db.one(sql.unsafe`
      select count(*) as all_rows, count(*) filter (where xmin::text::bigint >= ${since ?? next}::bigint) as new_rows
      from ${sql.identifier([name])}`)) as { allRows: number; newRows: number }
    rows.counts[name] = row.allRows
    if (row.newRows > 0) rows.written[name] = row.newRows
  }
  return rows
}

async function tableBytes(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ relname: string; bytes: string }>(`
    select relname, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  return Object.fromEntries(rows.map(({ relname, bytes }) => [relname, Number(bytes)]))
}

const sum = (sizes: Record<string, number>): number => Object.values(sizes).reduce((total, bytes) => total + bytes, 0)
