import { join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { writeItems, type GroupWrite, type ItemWrite } from '../../src/core/catalogue/index.ts'
import type { Library } from '../../src/core/libraries/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import type { ScanJob } from '../../src/core/scanning/index.ts'
import { queueScan, runScanJob, type QueueableType } from '../../src/core/scanning/index.ts'
import type { Services } from '../../src/core/services.ts'
import { reachableDirectory } from './directories.ts'
import { TMDB_KEY, type FakeTmdb } from './fake-tmdb.ts'
import { makeLibrary, type LibrarySpec } from './records.ts'
import { putNoise } from './scanning.ts'
import { itemRow } from './item-row.ts'

/** Options that make a process use the fake server instead of TMDB, without pauses. Timeouts are long, because the machine may be slow. */
export function tmdbFlags(fake: FakeTmdb): Record<string, string> {
  return {
    'metadata.tmdb.api_key': TMDB_KEY,
    'metadata.tmdb.base_url': fake.baseUrl,
    'metadata.requests_per_second': '1000',
    'metadata.timeout_seconds': '300',
  }
}

/** A library whose folder exists and contains a file without an item. */
export async function emptyLibrary(t: Test, db: Database, spec: LibrarySpec): Promise<Library & { folder: string }> {
  const folder = reachableDirectory(t)
  putNoise(folder, 'here')
  const library = await makeLibrary(db, folder, spec)
  return Object.assign(library, { folder })
}

/** Inserts a film as a scan would; returns its id. */
export async function addFilm(
  db: Database,
  library: Library & { folder: string },
  film: Partial<ItemWrite> & { name: string; file?: string },
): Promise<string> {
  const { file = `${film.name}.mkv`, ...row } = film
  return write(db, {
    libraryId: library.id,
    type: 'movie',
    sortTitle: film.name,
    year: null,
    path: join(library.folder, file),
    metadata: { title: film.name },
    ...row,
  })
}

/** Inserts episodes of a series by season, as a scan would; returns the id of the series. */
export async function addSeries(
  db: Database,
  library: Library & { folder: string },
  series: {
    name: string
    year?: number | null
    folder?: string
    ids?: object
    seasons: Record<number, number[]>
    episodeTitle?: string
  },
): Promise<string> {
  const { name, year = null, folder = name } = series
  const group: GroupWrite = {
    type: 'series',
    key: `${name.toLowerCase()}/`,
    name,
    sortTitle: name,
    year,
    metadata: { title: name, ...(series.ids !== undefined && { external_ids: series.ids }) },
  }
  for (const [season, episodes] of Object.entries(series.seasons)) {
    const number = Number(season)
    for (const episode of episodes) {
      await write(db, {
        libraryId: library.id,
        type: 'episode',
        name: `Episode ${episode}`,
        sortTitle: `Episode ${episode}`,
        year: null,
        path: join(library.folder, folder, `Season ${season}`, `S${season}E${episode}.mkv`),
        metadata: { title: `Episode ${episode}` },
        seasonNumber: number,
        episodeNumber: episode,
        episodeTitle: series.episodeTitle ?? null,
        groups: [
          group,
          {
            type: 'season',
            key: `${group.key}/${season}`,
            name: `Season ${season}`,
            sortTitle: `Season ${season.padStart(4, '0')}`,
            year: null,
            seasonNumber: number,
            metadata: { title: `Season ${season}` },
          },
        ],
      })
    }
  }
  const id = await db.oneFirst(sql.unsafe`
    select id from media_items where library_id = ${library.id} and type = 'series' and group_key = ${group.key}`)
  return String(id)
}

async function write(db: Database, item: Parameters<typeof itemRow>[0]): Promise<string> {
  const row = itemRow({ modifiedAtNanoseconds: 1n, container: 'mkv', bitrate: null, ...item })
  const [written] = await writeItems(db, [row], new Date('2026-01-01T00:00:00Z'))
  return written?.id ?? ''
}

/** Queues a job and runs it to its end. */
export async function runJob(services: Services, libraryId: string, type: QueueableType): Promise<ScanJob> {
  const { id } = await queueScan({ db: services.db, clock: services.clock }, { libraryId, type })
  return runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
}

/** The rows of an item. */
export async function rowOf(db: Database, id: string): Promise<Record<string, unknown>> {
  return (await db.one(sql.unsafe`
    select name, sort_title, year, episode_title, name_source, metadata, local_metadata, metadata_refreshed_at, naming_before
    from media_items where id = ${id}`)) as Record<string, unknown>
}

/** Provider picture URLs of an item, by kind. */
export async function picturesOf(db: Database, id: string): Promise<Record<string, string>> {
  const rows = (await db.any(
    sql.unsafe`select kind, url from provider_artwork where media_item_id = ${id}`,
  )) as readonly {
    kind: string
    url: string
  }[]
  return Object.fromEntries(rows.map(({ kind, url }) => [kind, url]))
}
