import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Test } from 'tap'
import { registerAdmin, scanLibrary, startDaemon, stopDaemon, type AdminApi } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { siblingOfDataDirectory, temporaryDataDirectory } from '../support/phlix.ts'
import { processesOf } from '../support/processes.ts'
import type { SampleKind } from '../support/media.ts'
import { putSample } from '../support/scanning.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A format that only ffprobe can read. */
const PROBED_FILM = 'Probed (2003).mpg'
const CLIENTS = 4
const STEPS_PER_ROUND = 4
const PROFILES = ['web', 'mobile', 'roku'] as const
const POOL_SIZE = 4
/** In addition to the pool: four of the scan thread, four of the job queue with its listener, three for locks, one for the schema check. */
const OTHER_CONNECTIONS = 12
/** Sockets that clients keep open, and files that are being sent. */
const EXTRA_DESCRIPTORS = 20
const MEBIBYTE = 2 ** 20
/** All segments of the films in all renditions are smaller. */
const MAX_CACHE_BYTES = 100 * MEBIBYTE

/** The resources of a daemon at one moment. */
type HeldResources = { descriptors: number; connections: number; residentBytes: number; cacheBytes: number }

export type MixedLoad = {
  random: SeededRandom
  films: readonly SampleKind[]
  rounds: number
  kills: number
  mostGrowthMebibytes?: number
}

/**
 * Clients of all kinds send requests to a real daemon while the programs that it runs are killed at random. Afterwards it works, and holds
 * no more than before: descriptors, database connections, files, and memory if a bound is given.
 */
export async function runMixedLoad(
  t: Test,
  { random, films, rounds, kills, mostGrowthMebibytes }: MixedLoad,
): Promise<void> {
  const data = await temporaryDataDirectory(t)
  const folder = siblingOfDataDirectory(data, 'films')
  mkdirSync(folder)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const kind of films) await putSample(folder, `${kind} (2001).mp4`, kind)
  await putSample(folder, PROBED_FILM, 'film-mpg')
  const { environment, connectionUri } = await testDatabase(t)
  const daemon = await startDaemon(data, { ...environment, DB_POOL_SIZE: String(POOL_SIZE) })
  t.teardown(() => stopDaemon(daemon))
  const api = await registerAdmin(daemon)
  const items = [...(await scanLibrary(api, folder)).values()]
  const { libraries } = (await api('GET', '/libraries')) as { libraries: { id: string }[] }
  const [{ id: libraryId } = { id: '' }] = libraries
  const client = new Client({ connectionString: connectionUri })
  await client.connect()
  t.teardown(() => client.end())
  const pid = daemon.child.pid ?? 0

  const statuses: Record<string, number> = {}
  const note = (outcome: string): void => void (statuses[outcome] = (statuses[outcome] ?? 0) + 1)
  const target = {
    address: daemon.address,
    api,
    items,
    libraryId,
    folder,
    transcodes: join(data, 'cache', 'transcodes'),
  }
  let left = kills
  let isOver = false
  const kill = async (): Promise<void> => {
    while (!isOver && left > 0) {
      const running = processesOf(folder).filter(({ command }) => /^\S*(?:ffmpeg|ffprobe) /.test(command))
      if (running.length > 0 && killNow(random.pick(running).pid)) left -= 1
      await pause(random.below(100))
    }
  }
  const killing = kill()
  const samples: HeldResources[] = []
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let step = 0; step < STEPS_PER_ROUND; step += 1) note(await takeStep(target, random))
      }),
    )
    samples.push(await look({ pid, data, client }))
  }
  isOver = true
  await killing
  t.comment(`${kills - left} kills; ${JSON.stringify(statuses)}`)
  t.comment(`first ${JSON.stringify(samples[0])}, last ${JSON.stringify(samples.at(-1))}`)
  t.comment(
    `memory in MiB: ${samples
      .filter((_, index) => index % 20 === 0)
      .map(({ residentBytes }) => Math.round(residentBytes / MEBIBYTE))
      .join(' ')}`,
  )
  t.equal(left, 0, 'programs were killed')
  t.strictSame(
    Object.keys(statuses).filter((status) => !EXPECTED.test(status)),
    [],
    'nothing else is answered',
  )

  const most = Math.max(...samples.map(({ connections }) => connections))
  const cacheBytes = Math.max(...samples.map((sample) => sample.cacheBytes))
  t.ok(cacheBytes < MAX_CACHE_BYTES, `${cacheBytes} bytes in the cache at the most`)
  t.ok(most <= POOL_SIZE + OTHER_CONNECTIONS, `${most} connections to the database at the most`)
  await waitUntil('every job of the queue has ended', async () => {
    const { rows } = await client.query(`select from pgboss.job where state in ('created', 'active')`)
    return rows.length === 0
  })
  const settled = Number(samples[0]?.descriptors) + EXTRA_DESCRIPTORS
  await waitUntil('descriptors are closed', async () => (await look({ pid, data, client })).descriptors <= settled)
  await waitUntil('nothing is left of encoders that have ended', () => abandonedFolders(target).length === 0)
  await api('POST', `/libraries/${libraryId}/rescan`)
  await waitUntil('the library is read again', async () => {
    const { scan_status: scan } = await api('GET', `/libraries/${libraryId}/scan-status`)
    return (scan as { status: string } | null)?.status === 'completed'
  })
  for (const item of items) await t.resolves(api('POST', `/media/${item}/transcode`), 'killed encoders are replaced')
  t.equal((await fetch(`${daemon.address}/readyz`)).status, 200)
  t.equal(daemon.child.exitCode, null)
  t.notMatch(daemon.log(), /"level":"(critical|alert|emergency)"/)
  if (mostGrowthMebibytes === undefined) return
  const [early, late] = [1, 3].map((place) => meanBytes(samples, place)) as [number, number]
  const growth = Math.round((late - early) / MEBIBYTE)
  t.ok(growth <= mostGrowthMebibytes, `the memory grew by ${growth} MiB, from ${Math.round(early / MEBIBYTE)} MiB`)
}

type Target = {
  address: string
  api: AdminApi
  items: readonly string[]
  libraryId: string
  folder: string
  transcodes: string
}

/** Accepted responses while programs are killed. A film whose ffprobe was killed has no stream data before the next rescan. */
const EXPECTED = /^(?:20[026]|422 not_transcodable|500 segment_failed|503 (?:segment_busy|segment_timeout))$/

/** One action of a client; returns the result. */
async function takeStep(target: Target, random: SeededRandom): Promise<string> {
  const { api, items, libraryId, folder } = target
  const item = random.pick(items)
  try {
    switch (random.below(8)) {
      case 0:
        await api('GET', `/media?library_id=${libraryId}&limit=50`)
        break
      case 1:
        await api('GET', `/media/${item}`)
        break
      case 2:
        await api('GET', `/media?search=${random.pick(['film', 'probed', 'x'])}`)
        break
      case 3:
        return await readFilm(target, { item, random })
      case 4:
        utimesSync(join(folder, PROBED_FILM), random.below(1_000_000_000), random.below(1_000_000_000))
        await api('POST', `/libraries/${libraryId}/rescan`)
        break
      default:
        return await playSegment(target, { item, random })
    }
    return '200'
  } catch (error) {
    return describeFailure(error)
  }
}

/** The status and the code of an error. */
function describeFailure(error: unknown): string {
  const [, status = 'no answer', body = ''] = /answered (\d+): (.*)$/s.exec(String(error)) ?? []
  const code = /"code":"([^"]+)"/.exec(body)?.[1]
  return code === undefined ? status : `${status} ${code}`
}

type Choice = { item: string; random: SeededRandom }

/** Reads some bytes of the file and disconnects. */
async function readFilm({ address, api }: Target, { item, random }: Choice): Promise<string> {
  const { playback_info: info } = await api('GET', `/media/${item}/playback`)
  const [source] = (info as { media_sources: { stream_url: string }[] }).media_sources
  const headers = { range: `bytes=${random.below(10_000)}-` }
  const reply = await fetch(new URL(source?.stream_url ?? '', address), { headers })
  await reply.body?.cancel()
  return String(reply.status)
}

/** Requests a segment of a film, which is encoded unless it exists. Sometimes the existing segments are removed first. */
async function playSegment({ address, api, transcodes }: Target, { item, random }: Choice): Promise<string> {
  const { job_id: jobId, master_url: master } = await api(
    'POST',
    `/media/${item}/transcode?profile=${random.pick(PROFILES)}`,
  )
  const list = async (path: string): Promise<string[]> => {
    const reply = await fetch(`${address}${path}`)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${text}`)
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }
  const folder = `/hls/${String(jobId)}`
  const segments = await list(`${folder}/${random.pick(await list(String(master)))}`)
  if (random.below(3) === 0) {
    for (const path of filesBelow(join(transcodes, String(jobId))))
      if (/\/seg-[^/]*$/.test(path)) rmSync(path, { force: true })
  }
  const reply = await fetch(`${address}${folder}/${random.pick(segments)}`)
  if (!reply.ok) throw new Error(`it was answered ${reply.status}: ${await reply.text()}`)
  await reply.arrayBuffer()
  return String(reply.status)
}

/** False if it has ended before. */
function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

async function look({ pid, data, client }: { pid: number; data: string; client: Client }): Promise<HeldResources> {
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    connections: Number(rows[0]?.count),
    residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    cacheBytes: filesBelow(join(data, 'cache')).reduce((sum, path) => sum + sizeOf(path), 0),
  }
}

/** Folders of encoders that do not run any more. */
function abandonedFolders({ transcodes }: Target): string[] {
  const commands = processesOf(transcodes).map(({ command }) => command)
  const folders = new Set(filesBelow(transcodes).flatMap((path) => /^.*\/\.head-[^/]+/.exec(path) ?? []))
  return [...folders].filter((folder) => !commands.some((command) => command.includes(folder)))
}

/** Files may appear and disappear during the listing. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
  } catch {
    return []
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Mean of one of the four quarters. */
function meanBytes(samples: readonly HeldResources[], place: number): number {
  const size = Math.floor(samples.length / 4)
  const part = samples.slice(place * size, (place + 1) * size)
  return part.reduce((sum, { residentBytes }) => sum + residentBytes, 0) / part.length
}
