import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { listScanFailures } from '../../src/core/scanning/index.ts'
import { testDatabase } from '../support/database.ts'
import { asUnprivilegedUser, canStartThreadsAs, ownerOfSocket } from '../support/unprivileged-user.ts'
import { beforeReading, putSample, scannedLibrary } from '../support/scanning.ts'

const database = await testDatabase(t)

/** Files that change between the listing of their folder and the reading. */

/** `found`: the row after the scan, undefined if there is none; `code`: the error that the job reports, if any. */
type Change = { claim: string; change: (path: string) => void; found: object | undefined; code?: string }

const CHANGES: readonly Change[] = [
  { claim: 'a file that disappears', change: (path) => rmSync(path), found: undefined },
  {
    claim: 'a folder that disappears with all its files',
    change: (path) => rmSync(dirname(path), { recursive: true }),
    found: undefined,
  },
  {
    claim: 'a file that is renamed',
    change: (path) => renameSync(path, path.replace('Film (', 'Renamed (')),
    found: undefined,
  },
  { claim: 'a file that grows', change: (path) => appendFileSync(path, 'more'), found: { probeError: null } },
  {
    claim: 'a file that is emptied',
    change: (path) => truncateSync(path),
    found: { probeError: 'the file is empty' },
    code: 'empty_file',
  },
  {
    claim: 'a file whose permissions are taken away',
    change: (path) => asRoot(() => chmodSync(path, 0)),
    found: { probeError: /./ },
    code: 'file_unreadable',
  },
  {
    claim: 'a file that becomes a pipe',
    change: (path) => {
      rmSync(path)
      execFileSync('mkfifo', [path])
    },
    found: { probeError: /./ },
    code: 'not_a_regular_file',
  },
  {
    claim: 'a file that becomes a folder',
    change: (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    found: { probeError: /./ },
    code: 'not_a_regular_file',
  },
  {
    claim: 'a file that becomes a link out of the library',
    change: (path) => {
      rmSync(path)
      symlinkSync('/etc/passwd', path)
    },
    found: { probeError: /./ },
    code: 'path_outside_root',
  },
]

/** The files belong to root when the tests run as root. */
function asRoot(work: () => void): void {
  const account = process.geteuid?.() ?? 0
  if (process.getuid?.() === 0) process.seteuid?.(0)
  work()
  if (process.getuid?.() === 0) process.seteuid?.(account)
}

void t.test('a change between listing and reading affects one file only, and the scan continues (F-15)', async (t) => {
  const { connectionUri, folder, scan, items, services } = await scannedLibrary(t, { database })
  if (!(await canStartThreadsAs(ownerOfSocket(connectionUri)))) return
  const films = new Map(CHANGES.map((one) => [`${one.claim}/Film (2001).mp4`, one]))
  const neighbours = CHANGES.map(({ claim }) => `${claim}, its neighbour/Film (2002).mp4`)
  const everything = [...films.keys(), ...neighbours]
  for (const film of everything) await putSample(folder, film)
  const { readers } = services
  beforeReading(services, (path) => {
    const film = films.get(path.slice(folder.length + 1))
    if (film !== undefined) asRoot(() => film.change(path))
  })
  const job = await asUnprivilegedUser(() => scan(), ownerOfSocket(connectionUri))
  const blamed = [...films].flatMap(([film, { code }]) =>
    code === undefined ? [] : [{ path: join(folder, film), code }],
  )
  t.match(job, { status: 'completed', error: null, itemsFailed: blamed.length })
  const failures = await listScanFailures(services, { scanJobId: job.id })
  t.strictSame(
    failures.map(({ path, code }) => ({ path, code })),
    blamed.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  )
  const seen = await items()
  for (const [film, { found }] of films) {
    if (found === undefined) t.notOk(seen.has(film), film)
    else t.match(seen.get(film), found, film)
  }
  for (const film of neighbours) t.match(seen.get(film), { probeError: null, durationSeconds: Number }, film)

  services.readers = readers
  for (const film of films.keys()) {
    rmSync(join(folder, film), { recursive: true, force: true })
    await putSample(folder, film)
  }
  t.match(await scan(), { status: 'completed', itemsFailed: 0 }, 'the next scan looks again')
  const later = await items()
  for (const film of everything) {
    t.match(later.get(film), { probeError: null, durationSeconds: Number, missingSince: null }, film)
  }
})

void t.test('a film that is still being written is read again by the next scan, and then no more (F-15)', async (t) => {
  const { folder, scan, items, services } = await scannedLibrary(t, { database })
  const path = await putSample(folder, 'Growing (2001).mp4')
  let isGrowing = true
  beforeReading(services, () => {
    if (isGrowing) appendFileSync(path, 'x'.repeat(1000))
  })
  await scan()
  isGrowing = false
  await scan()
  t.strictSame(services.probed, [path], 'it had another size than was listed')
  t.match((await items()).get('Growing (2001).mp4'), { sizeBytes: statSync(path).size, probeError: null })
  await scan()
  t.strictSame(services.probed, [])
})

void t.test('an unreadable file is reported; a rescan reads it once it is readable (F-15)', async (t) => {
  const { connectionUri, folder, scan, items } = await scannedLibrary(t, { database })
  if (!(await canStartThreadsAs(ownerOfSocket(connectionUri)))) return
  const path = await putSample(folder, 'Secret (2001).mp4')
  await scan()
  const known = (await items()).get('Secret (2001).mp4')
  chmodSync(path, 0)
  utimesSync(path, 1000, 2000)
  const job = await asUnprivilegedUser(() => scan(), ownerOfSocket(connectionUri))
  t.match(job, { status: 'completed', itemsFailed: 1, itemsAdded: 0 })
  t.match((await items()).get('Secret (2001).mp4'), { id: known?.id, missingSince: null, probeError: /./ })
  chmodSync(path, 0o644)
  t.match(await asUnprivilegedUser(() => scan('rescan'), ownerOfSocket(connectionUri)), {
    itemsFailed: 0,
    itemsAdded: 0,
  })
  t.match((await items()).get('Secret (2001).mp4'), { id: known?.id, probeError: null, durationSeconds: Number })
})
