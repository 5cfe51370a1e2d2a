import { join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { writeItems, type GroupWrite, type ItemWrite } from '../../src/core/catalogue/index.ts'
import { startFakeTmdb, type FakeTitle } from './fake-tmdb.ts'
import { emptyLibrary, tmdbFlags } from './metadata.ts'
import { testServices } from './services.ts'
import { itemRow } from './item-row.ts'

/** Size of the library in the acceptance test. */
export const FILMS = 300
export const SHOWS = 20
export const SEASONS = [1, 2]
export const EPISODES = [1, 2, 3]

const film = (number: number): FakeTitle => ({
  id: 1000 + number,
  kind: 'movie',
  title: `Film number ${number}`,
  date: `${1950 + (number % 70)}-06-01`,
})

export const show = (number: number): FakeTitle => ({
  id: 5000 + number,
  kind: 'tv',
  title: `Show number ${number}`,
  date: '2001-01-01',
  seasons: Object.fromEntries(
    SEASONS.map((season) => [
      season,
      EPISODES.map((episode) => ({ number: episode, name: `Part ${season}.${episode}` })),
    ]),
  ),
})

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const range = (films: number, shows: number) => [...numbers(films).map(film), ...numbers(shows).map(show)]

/** A TMDB server that knows all titles, and libraries as a scan would have written them. */
export async function providerAndLibraries(t: Test) {
  const fake = await startFakeTmdb(t)
  const services = await testServices(t, { flags: tmdbFlags(fake) })
  const { db } = services
  let libraries = 0
  /** Removes earlier rows first. */
  const fill = async ({ films = 12, shows = 0 } = {}) => {
    libraries += 1
    await db.query(sql.unsafe`delete from provider_replies`)
    Object.assign(fake, { titles: range(films, shows), overrideResponse: undefined })
    fake.requests.length = 0
    const library = await emptyLibrary(t, db, { name: `Library ${libraries}` })
    const rows = [
      numbers(films).map((number) => filmRow(library, number)),
      numbers(shows).map((number) => showRows(library, number)),
    ]
    await writeItems(db, rows.flat(2), new Date('2026-01-01T00:00:00Z'))
    const stamped = async (): Promise<number> =>
      Number(
        await db.oneFirst(sql.unsafe`
          select count(*) from media_items where library_id = ${library.id} and metadata_refreshed_at is not null`),
      )
    return { library, stamped }
  }
  return { fake, services, db, fill }
}

type Place = { id: string; folder: string }

const PROBED = { modifiedAtNanoseconds: 1n, container: 'mkv', bitrate: null }

function filmRow({ id, folder }: Place, number: number): ItemWrite {
  const name = `film number ${number}`
  const path = join(folder, `${name}.mkv`)
  const year = 1950 + (number % 70)
  return itemRow({ ...PROBED, libraryId: id, name, year, path, metadata: { title: name } })
}

function showRows({ id, folder }: Place, number: number): ItemWrite[] {
  const name = `show number ${number}`
  const series: GroupWrite = {
    type: 'series',
    key: `${name}/2001`,
    name,
    sortTitle: name,
    year: 2001,
    metadata: { title: name },
  }
  const episodes = SEASONS.flatMap((season) => EPISODES.map((episode) => ({ season, episode })))
  return episodes.map((number) => episodeRow({ id, folder: join(folder, name) }, series, number))
}

function episodeRow(
  { id, folder }: Place,
  series: GroupWrite,
  { season, episode }: { season: number; episode: number },
): ItemWrite {
  const path = join(folder, `S${season}E${episode}.mkv`)
  const title = `Episode ${episode}`
  const group: GroupWrite = {
    type: 'season',
    key: `${series.key}/${season}`,
    name: `Season ${season}`,
    sortTitle: `Season ${season}`,
    year: null,
    seasonNumber: season,
    metadata: {},
  }
  return itemRow({
    ...PROBED,
    libraryId: id,
    type: 'episode',
    name: title,
    path,
    metadata: { title },
    seasonNumber: season,
    episodeNumber: episode,
    groups: [series, group],
  })
}

/** Number of requests by path; searches by their query. */
export function countsOf(requests: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests) {
    const key = request.includes('/search/') ? request : request.replace(/\?.*/, '')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Number of requests to paths of this form. */
export function sum(counts: ReadonlyMap<string, number>, pattern: RegExp): number {
  return [...counts].reduce((total, [key, count]) => total + (pattern.test(key) ? count : 0), 0)
}
