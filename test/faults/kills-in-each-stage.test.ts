import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { getScanJob, queueScan, recoverScanJobs, runScanJob } from '../../src/core/scanning/index.ts'
import type { LibraryType } from '../../src/core/libraries/index.ts'
import { gateAtTable, gateAtWrites, type DatabaseGate, type GatedWrites } from '../support/database-gate.ts'
import { reachableDirectory } from '../support/directories.ts'
import { gatedProbe } from '../support/gated-probe.ts'
import { albumsOf } from '../support/music-rows.ts'
import { putNoise, putSample, scannedLibrary } from '../support/scanning.ts'
import { startScanProcess } from '../support/scan-process.ts'
import { putAudio } from '../support/tagged-audio.ts'
import { waitUntil } from '../support/wait-until.ts'

/**
 * Kills in each stage of a rescan: a worker is killed, the next one resumes and is killed in the next stage. The final result equals that
 * of an undisturbed rescan.
 */

/** The point of the kill: at a table that a stage reads, or in the middle of a transaction of it. */
type Stage = { stage: string; at: string | GatedWrites }

const WALK: Stage = { stage: 'walk', at: 'scan_folders' }
const STORE: Stage = { stage: 'store', at: { table: 'media_items', event: 'insert' } }
const STORE_FOLDERS: Stage = { stage: 'store, its folders', at: { table: 'scan_folders', event: 'insert' } }
const DELETE_FOLDERS: Stage = { stage: 'reconcile, unseen folders', at: { table: 'scan_folders', event: 'delete' } }
const FOLLOW: Stage = {
  stage: 'reconcile, groups that moved',
  at: { table: 'media_items', event: 'delete', condition: 'old.path is null' },
}
const REPOINT: Stage = { stage: 'reconcile, files that moved', at: { table: 'media_items', event: 'update of path' } }
const REMOVE: Stage = {
  stage: 'reconcile, missing files',
  at: { table: 'media_items', event: 'delete', condition: 'old.path is not null and old.missing_since is not null' },
}

type Kind = {
  type: LibraryType
  fill: (folder: string) => Promise<void>
  /** One file moved, one removed, one added. */
  change: (folder: string) => Promise<void>
  stages: readonly Stage[]
}

function move(folder: string, from: string, to: string): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  renameSync(join(folder, from), join(folder, to))
}

const song = (album: string, title: string, track: string) => ({
  tags: { artist: 'Oscillator', album_artist: 'Oscillator', album, title, track },
})

const KINDS: readonly Kind[] = [
  {
    type: 'movie',
    fill: async (folder) => {
      for (const film of ['A (2001)', 'B (2002)', 'C (2003)', 'D (2004)'])
        await putSample(folder, `${film}/${film}.mp4`)
    },
    change: async (folder) => {
      move(folder, 'A (2001)', 'shelf/A (2001)')
      rmSync(join(folder, 'B (2002)'), { recursive: true })
      rmSync(join(folder, 'C (2003)/C (2003).mp4'))
      await putSample(folder, 'E (2005)/E (2005).mp4')
      putNoise(folder, 'F (2006)/F (2006).mp4')
    },
    stages: [WALK, REPOINT],
  },
  {
    type: 'series',
    fill: async (folder) => {
      for (const name of ['S01E01', 'S01E02', 'S02E01']) {
        await putSample(folder, `Night (2001)/Season ${Number(name.slice(1, 3))}/Night - ${name}.mp4`)
        await putSample(folder, `Day (2002)/Season ${Number(name.slice(1, 3))}/Day - ${name}.mp4`)
      }
    },
    change: async (folder) => {
      move(folder, 'Night (2001)', 'shelf/Night Again (2003)')
      rmSync(join(folder, 'Day (2002)/Season 2'), { recursive: true })
      await putSample(folder, 'Dusk (2004)/Season 1/Dusk - S01E01.mp4')
      putNoise(folder, 'Dusk (2004)/Season 1/Dusk - S01E02.mp4')
    },
    stages: [STORE, STORE_FOLDERS, DELETE_FOLDERS, FOLLOW, REMOVE],
  },
  {
    type: 'music',
    fill: async (folder) => {
      await putAudio(folder, 'Waves/1 Sine.mp3', song('Waves', 'Sine', '1'))
      await putAudio(folder, 'Waves/2 Saw.mp3', song('Waves', 'Saw', '2'))
      await putAudio(folder, 'Noise/1 White.mp3', song('Noise', 'White', '1'))
      await putAudio(folder, 'Hum/1 Low.mp3', song('Hum', 'Low', '1'))
    },
    change: async (folder) => {
      move(folder, 'Waves', 'Oscillator/Waves')
      rmSync(join(folder, 'Noise'), { recursive: true })
      await putAudio(folder, 'Hum/2 High.mp3', song('Hum', 'High', '2'))
      await putAudio(folder, 'Hum/1 Low.mp3', song('Hum Again', 'Low', '1'))
      putNoise(folder, 'Pulse/1 Pulse.mka')
    },
    stages: [STORE, REPOINT],
  },
]

const Row = z.strictObject({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  place: z.string().nullable(),
  parent: z.string().nullable(),
  isMissing: z.boolean(),
  problem: z.string().nullable(),
})

type Library = Awaited<ReturnType<typeof scannedLibrary>>

/** All rows of a library without ids and times, with the identity of each item before the rescan. */
async function rowsOf({ db, folder }: Pick<Library, 'db' | 'folder'>): Promise<z.infer<typeof Row>[]> {
  const rows = await db.any(sql.type(Row)`
    select i.id, i.type, i.name, substr(i.path, ${folder.length + 2}) as place, p.type || ' ' || p.name as parent,
      i.missing_since is not null as is_missing, i.probe_error as problem
    from media_items i left join media_items p on p.id = i.parent_id
    order by i.path, i.type, i.name, i.season_number, p.name`)
  return [...rows]
}

function prepare(t: Test, { type, fill, change }: Kind) {
  return async () => {
    const library = await scannedLibrary(t, { type })
    await fill(library.folder)
    t.match(await library.scan(), { status: 'completed', itemsFailed: 0 })
    const origins = new Map((await rowsOf(library)).map(({ id, name, place }) => [id, `was ${place ?? name}`]))
    await change(library.folder)
    const outcome = async () => ({
      items: (await rowsOf(library)).map(({ id, ...row }) => [origins.get(id) ?? 'is new', row]),
      albums: await albumsOf(library.db),
      counts: await library.db.one(sql.unsafe`
        select (select count(*) from media_items) as items, (select count(*) from media_streams) as streams,
          (select count(*) from scan_folders) as folders, (select count(*) from music_albums) as albums,
          (select count(*) from music_artists) as artists, (select count(*) from music_tracks) as tracks,
          (select count(*) from item_sidecars) as sidecars`),
    })
    return { ...library, outcome }
  }
}

for (const kind of KINDS) {
  void t.test(
    `a rescan of a ${kind.type} library that is killed in each stage ends as if undisturbed (F-01)`,
    async (t) => {
      const make = prepare(t, kind)
      const undisturbed = await make()
      t.match(await undisturbed.scan('rescan'), { status: 'completed' })
      const expected = await undisturbed.outcome()

      const library = await make()
      const { id } = await queueScan(library.services, { libraryId: library.library.id, type: 'rescan' })
      await killWhileReading(t, library, id)
      for (const { stage, at } of kind.stages) {
        await killAtGate(t, library, { id, at })
        t.match(await getScanJob(library.services, id), { id, status: 'queued' }, `killed in: ${stage}`)
      }
      const input = { scanJobId: id, whenAborted: 'requeue' } as const
      const job = await runScanJob(library.services, input, new AbortController().signal)
      t.match(job, { id, status: 'completed', error: null })
      const outcome = await library.outcome()
      t.strictSame(outcome, expected)
      t.match(await library.scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
      t.strictSame(await library.outcome(), outcome, 'and it stays so')
    },
  )
}

/** In the middle of a file that only ffprobe can read. */
async function killWhileReading(t: Test, library: Library, id: string): Promise<void> {
  const probe = await gatedProbe(reachableDirectory(t))
  const worker = startWorker(t, library, id, probe.environment)
  await worker.comesTo(probe.started())
  await worker.kill()
  await probe.open()
  await untilRecovered(library)
}

async function killAtGate(t: Test, library: Library, { id, at }: { id: string; at: Stage['at'] }): Promise<void> {
  const { connectionUri } = library
  const gate: DatabaseGate =
    typeof at === 'string' ? await gateAtTable(t, connectionUri, at) : await gateAtWrites(t, connectionUri, at)
  const worker = startWorker(t, library, id)
  await worker.comesTo(gate.reached())
  await worker.kill()
  await gate.open()
  await untilRecovered(library)
}

function startWorker(t: Test, { environment }: Library, id: string, more: Record<string, string> = {}) {
  const child = startScanProcess(t, [id], { ...environment, ...more })
  const ended = once(child, 'exit')
  return {
    ended,
    comesTo: async (gate: Promise<void>) => {
      const isReached = await Promise.race([gate.then(() => true), ended.then(() => false)])
      t.ok(isReached, 'the worker came to the gate')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The server releases the lock of a dead worker when it notices the closed connection. */
async function untilRecovered({ services }: Library): Promise<void> {
  await waitUntil('the job of the killed worker is free', async () => (await recoverScanJobs(services)) > 0)
}
