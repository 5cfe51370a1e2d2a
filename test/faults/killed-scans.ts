import { copyFileSync, linkSync, mkdirSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { reachableDirectory } from '../support/directories.ts'
import { sampleMedia, type SampleKind } from '../support/media.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { KilledServer } from './killed-server.ts'

/** A library and what its scan must find, however often it is killed. */
export type Corpus = { type: 'movie' | 'series' | 'music'; sample: SampleKind; paths: string[]; groups: string[] }

/** Films and episodes are in a format that only ffprobe can read. */
export function makeCorpora({ films, episodes, songs }: { films: number; episodes: number; songs: number }): Corpus[] {
  const counted = (count: number, pathOf: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => pathOf(index))
  return [
    {
      type: 'movie',
      sample: 'film-mpg',
      paths: counted(films, (index) => `Film ${index} (${1950 + index})/Film ${index} (${1950 + index}).mp4`),
      groups: [],
    },
    {
      type: 'series',
      sample: 'film-mpg',
      paths: counted(episodes, (index) => `Show/Season ${(index % 5) + 1}/Show S0${(index % 5) + 1}E${10 + index}.mp4`),
      groups: ['Season 1', 'Season 2', 'Season 3', 'Season 4', 'Season 5', 'Show'],
    },
    {
      type: 'music',
      sample: 'song-mp3',
      paths: counted(songs, (index) => `Artist/Album ${index % 4}/Song ${index}.mp3`),
      groups: [],
    },
  ]
}

/** A library of a server that is killed during scans. */
export type ScannedLibrary = Corpus & {
  id: string
  folder: string
  /** Requested jobs; none of them may disappear. */
  jobs: string[]
}

/** Creates the files and the library, whose first scan starts at once. */
export async function beginLibrary(t: Test, { ask }: KilledServer, corpus: Corpus): Promise<ScannedLibrary> {
  const folder = await makeFolder(t, corpus)
  const reply = await ask('POST', '/libraries', { name: corpus.type, type: corpus.type, path: folder })
  return { ...corpus, folder, id: String(reply['id']), jobs: [String(reply['job_id'])] }
}

/** Same bytes under many names: hard links need no space, and changing one file changes all. */
async function makeFolder(t: Test, { sample, paths }: Corpus): Promise<string> {
  const folder = reachableDirectory(t)
  const first = join(folder, 'source.bin')
  copyFileSync(await sampleMedia(sample), first)
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    linkSync(first, join(folder, path))
  }
  return folder
}

/** Changes every file and requests a rescan. */
export async function changeAndRescan({ ask }: KilledServer, library: ScannedLibrary): Promise<void> {
  utimesSync(join(library.folder, 'source.bin'), new Date(), new Date())
  const { job_id: job } = await ask('POST', `/libraries/${library.id}/rescan`)
  library.jobs.push(String(job))
}

type ScanStatus = { status: string; error: string | null }

export async function scanStatus({ ask }: KilledServer, { id }: ScannedLibrary): Promise<ScanStatus | null> {
  return (await ask('GET', `/libraries/${id}/scan-status`))['scan_status'] as ScanStatus | null
}

/** The last scan of a library, once no scan is queued or running. */
export async function untilScanEnds(server: KilledServer, library: ScannedLibrary): Promise<ScanStatus> {
  let last: ScanStatus | null = null
  await waitUntil(`the scan of the ${library.type} library ends`, async () => {
    last = await scanStatus(server, library)
    return last !== null && last.status !== 'queued' && last.status !== 'running'
  })
  return last ?? { status: 'none', error: null }
}

type Item = { id: string; name: string; path: string | null; parent_id: string | null }

/** Checks after all kills that the scans are complete, every file exists once, and no job is missing. */
export async function checkFinalState(t: Test, server: KilledServer, library: ScannedLibrary): Promise<void> {
  const last = await untilScanEnds(server, library)
  t.equal(last.status, 'completed', 'the scan completes after all')
  t.equal(last.error, null, 'without an error')
  const { history } = (await server.ask('GET', `/libraries/${library.id}/scan-history?limit=100`)) as {
    history: { id: string; status: string }[]
  }
  t.strictSame(
    history.filter((row) => row.status !== 'completed'),
    [],
    'no job is left queued or running',
  )
  t.strictSame(
    library.jobs.filter((job) => !history.some(({ id }) => id === job)),
    [],
    'every job kept its id through the kills',
  )
  const items = await allItems(server, library)
  const files = items.flatMap((item) => (item.path === null ? [] : [item.path.slice(library.folder.length + 1)]))
  t.strictSame(files.toSorted(), library.paths.toSorted(), 'every file is there, and only once')
  const groups = items.filter((item) => item.path === null)
  t.strictSame(groups.map(({ name }) => name).toSorted(), library.groups, 'and their groups')
  const ids = new Set(groups.map(({ id }) => id))
  const orphans = items.filter((item) => item.parent_id !== null && !ids.has(item.parent_id))
  t.strictSame(orphans, [], 'no row refers to a missing item')
}

async function allItems({ ask }: KilledServer, { id }: ScannedLibrary): Promise<Item[]> {
  const all: Item[] = []
  for (let offset = 0; ; offset += 100) {
    const { items } = (await ask('GET', `/media?libraryId=${id}&limit=100&offset=${offset}`)) as { items: Item[] }
    if (items.length === 0) return all
    all.push(...items)
  }
}
