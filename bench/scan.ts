import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLibrary, type LibraryType } from '../src/core/libraries/index.ts'
import { loadConfig } from '../src/core/platform/config/index.ts'
import { migrate } from '../src/core/platform/database/index.ts'
import { createLogger } from '../src/core/platform/logging/index.ts'
import { queueScan, runScanJob, type ScanJob } from '../src/core/scanning/index.ts'
import { createServices, type Services } from '../src/core/services.ts'
import type { Figure } from './run.ts'
import { makeFilmTree } from './scan-corpus.ts'
import { median } from './start.ts'

/** Numbers of films. The first is compared with other programs; a second number also shows how the time per film grows. */
const [FILMS = 100_000, ...LARGER] = (process.env['PHLIX_BENCH_FILMS'] ?? '100000').split(',').map(Number)
const ROUNDS = 5
const PROBED_FILES = 200

/**
 * Scans of generated films against the limits of the machine: `find` for walking, one ffprobe per file for reading. Runs in this process, with
 * the embedded database of a server.
 */
export async function benchScan(): Promise<Figure[]> {
  return inFolder(benchFilms)
}

async function inFolder(bench: (services: Services, folder: string) => Promise<Figure[]>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'phlix-bench-scan-'))
  chmodSync(folder, 0o755)
  const services = await openServices(folder)
  try {
    return await bench(services, folder)
  } finally {
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openServices(folder: string): Promise<Services> {
  const config = loadConfig({ dataDirectory: join(folder, 'data'), environment: {} })
  const log = await createLogger(config, { level: 'error' })
  const services = await createServices({ config, log })
  await migrate({ connectionUri: services.connectionUri, log })
  return services
}

type Run = {
  milliseconds: number
  job: ScanJob
  statements: number
  filesRead: number
  /** Memory above that of the process before its first scan. */
  peakMebibytes: number
}

/** Memory of a process that has opened its services and scanned nothing. */
let idleBytes = 0

/** Runs one job. Returns its time, from queueing to its end, and its memory. */
async function scan(services: Services, libraryId: string, type: 'scan' | 'rescan' = 'scan'): Promise<Run> {
  const counts = { statements: 0, filesRead: 0 }
  const watched = {
    ...services,
    db: counting(services.db, () => (counts.statements += 1)),
    readers: {
      ...services.readers,
      read: (...[request, signal]: Parameters<Services['readers']['read']>) => {
        counts.filesRead += 1
        return services.readers.read(request, signal)
      },
    },
  }
  idleBytes ||= process.memoryUsage.rss()
  let peakBytes = idleBytes
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20)
  const started = performance.now()
  const { id } = await queueScan({ db: watched.db, clock: services.clock }, { libraryId, type })
  const { jobs: _jobs, ...runner } = watched
  const job = await runScanJob(runner, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  const milliseconds = performance.now() - started
  clearInterval(timer)
  if (job.status !== 'completed') throw new Error(`the scan ended ${job.status}: ${job.error}`)
  return { milliseconds, job, ...counts, peakMebibytes: (peakBytes - idleBytes) / 2 ** 20 }
}

const STATEMENTS = new Set<PropertyKey>([
  'any',
  'anyFirst',
  'exists',
  'many',
  'manyFirst',
  'maybeOne',
  'maybeOneFirst',
  'one',
  'oneFirst',
  'query',
])

/** Wraps a pool or connection so that every statement is reported. */
function counting<Target extends object>(target: Target, onStatement: () => void): Target {
  return new Proxy(target, {
    get(object, property, receiver) {
      const value: unknown = Reflect.get(object, property, receiver)
      if (typeof value !== 'function') return value
      if (property === 'transaction') {
        const begin = value as (work: (connection: object) => unknown) => unknown
        return (work: (connection: object) => unknown) => begin((connection) => work(counting(connection, onStatement)))
      }
      return (...words: unknown[]): unknown => {
        if (STATEMENTS.has(property)) onStatement()
        return Reflect.apply(value, object, words)
      }
    },
  })
}

async function makeLibrary(services: Services, type: LibraryType, path: string): Promise<string> {
  return (await createLibrary(services, { name: path, type, path })).id
}

async function benchFilms(services: Services, folder: string): Promise<Figure[]> {
  makeFilmTree(folder, FILMS)
  const films = join(folder, 'films')
  const library = await makeLibrary(services, 'movie', films)
  const first = await scan(services, library)
  const figures = await compareWithOthers(services, { films, library, first })
  for (const count of LARGER) figures.push(...(await benchGrowth(services, { folder, count, first })))
  return figures
}

/** The times per film of the first and the second scan of a larger library. */
async function benchGrowth(
  services: Services,
  { folder, count, first }: { folder: string; count: number; first: Run },
): Promise<Figure[]> {
  const place = join(folder, String(count))
  mkdirSync(place)
  makeFilmTree(place, count)
  const library = await makeLibrary(services, 'movie', join(place, 'films'))
  const run = await scan(services, library)
  const again = await scan(services, library)
  rmSync(place, { recursive: true })
  const perFile = { ours: (run.milliseconds / count) * 1000, peer: (first.milliseconds / FILMS) * 1000 }
  return [
    figure(`first scan of ${count}, per 1,000`, perFile, `of ${FILMS}`),
    figure(`first scan of ${count}, memory`, { ours: run.peakMebibytes, peer: 250 }, 'target', 'MiB'),
    figure(`${count} unchanged, memory`, { ours: again.peakMebibytes, peer: 120 }, 'target', 'MiB'),
  ]
}

type Films = { films: string; library: string; first: Run }

async function compareWithOthers(services: Services, { films, library, first }: Films): Promise<Figure[]> {
  const probed = await probeEach(films, PROBED_FILES)
  const rounds = { unchanged: [] as number[], find: [] as number[], changed: [] as number[] }
  let [statements, filesRead] = [0, 0]
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.find.push(timedFind(films))
    const unchanged = await scan(services, library, round % 2 === 0 ? 'scan' : 'rescan')
    rounds.unchanged.push(unchanged.milliseconds)
    statements = Math.max(statements, unchanged.statements)
    filesRead += unchanged.filesRead
    utimesSync(join(films, 'shelf 0', 'Film 0 (1950)', 'Story 0 of 0.mkv'), round, 1_700_000_000 + round)
    rounds.changed.push((await scan(services, library)).milliseconds)
  }
  if (filesRead > 0) throw new Error(`${filesRead} files were opened by scans of an unchanged library`)
  const perFile = (sum: number, files: number): number => (sum / files) * 1000
  const unchanged = median(rounds.unchanged)
  const reading = { ours: perFile(first.milliseconds, FILMS), peer: perFile(probed, PROBED_FILES) }
  return [
    figure(`${FILMS} files unchanged`, { ours: unchanged, peer: median(rounds.find) }, 'find -printf'),
    figure('one of them changed', { ours: median(rounds.changed), peer: unchanged }, 'unchanged'),
    figure('statements per 1,000 unchanged', { ours: perFile(statements, FILMS), peer: 3 }, 'target', ' '),
    figure('first scan, per 1,000 mkv files', reading, 'ffprobe each'),
    figure('first scan, memory over idle', { ours: first.peakMebibytes, peer: 250 }, 'target', 'MiB'),
  ]
}

function figure(
  name: string,
  both: { ours: number; peer: number },
  peerName: string,
  unit: Figure['unit'] = 'ms',
): Figure {
  return { name, ...both, unit, peerName }
}

function timedFind(folder: string): number {
  const started = performance.now()
  execFileSync('sh', ['-c', 'exec find "$1" -printf "%p %s %T@\\n" > /dev/null', 'sh', folder])
  return performance.now() - started
}

/** The reference: one ffprobe per file, two at a time, as other scanners do. */
async function probeEach(folder: string, count: number): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.mkv')).slice(0, count)
  const words = ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', '-show_chapters']
  const run = promisify(execFile)
  const started = performance.now()
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (let index = lane; index < names.length; index += 2)
        await run('ffprobe', [...words, join(folder, names[index] ?? '')])
    }),
  )
  return performance.now() - started
}
