import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { queueScan, runScanJob, type QueueableType } from '../../src/core/scanning/index.ts'
import { testDatabase } from '../support/database.ts'
import { movableClock } from '../support/records.ts'
import { putSample, scannedLibrary } from '../support/scanning.ts'
import { createUserData } from '../support/user-data.ts'

const database = await testDatabase(t)

/** Moved files count neither as lost nor as new, whatever the clock shows. */

const YEAR_SECONDS = 365 * 86_400

async function filmsUnderClock(t: Test) {
  const { folder, library, services, items } = await scannedLibrary(t, { database })
  const clock = movableClock()
  const told = { ...services, clock }
  const scan = async (type: QueueableType) => {
    const { id } = await queueScan(told, { libraryId: library.id, type })
    return runScanJob(told, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  }
  for (const film of ['A (2001)', 'B (2002)', 'C (2003)']) await putSample(folder, `old/${film}/${film}.mp4`)
  await scan('scan')
  const first = (await items()).get('old/A (2001)/A (2001).mp4')
  const traces = await createUserData(services, first ?? { id: '' })
  const move = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    renameSync(join(folder, from), join(folder, to))
  }
  const idsOf = async () => Object.fromEntries([...(await items())].map(([path, { id }]) => [path, id]))
  return { folder, clock, scan, items, idsOf, traces, move, said: await traces() }
}

type Films = Awaited<ReturnType<typeof filmsUnderClock>>

/** The ids of the films by name. */
async function idsByName({ idsOf }: Films): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await idsOf()).map(([path, id]) => [path.replace(/^.*\//, ''), id]))
}

const MOVES: readonly { claim: string; change: (films: Films) => void }[] = [
  { claim: 'a file', change: ({ move }) => move('old/A (2001)/A (2001).mp4', 'new/A (2001).mp4') },
  { claim: 'a folder', change: ({ move }) => move('old', 'shelf/new') },
  {
    claim: 'a file, and the next film into its place before the next scan',
    change: ({ folder, move }) => {
      move('old/A (2001)/A (2001).mp4', 'new/A (2001).mp4')
      rmSync(join(folder, 'old/A (2001)'), { recursive: true })
      move('old/B (2002)', 'old/A (2001)')
    },
  },
]

for (const { claim, change } of MOVES) {
  void t.test(`${claim} that moved keeps ids, favourite, rating and place (F-12)`, async (t) => {
    const films = await filmsUnderClock(t)
    const before = await idsByName(films)
    change(films)
    t.match(await films.scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
    t.strictSame(await idsByName(films), before)
    t.strictSame(await films.traces(), films.said)
    t.match(await films.scan('rescan'), { itemsAdded: 0, itemsRemoved: 0 })
  })
}

void t.test('a copy is a second film, and the first keeps its user data (F-12)', async (t) => {
  const films = await filmsUnderClock(t)
  const before = await films.idsOf()
  mkdirSync(join(films.folder, 'copy'))
  copyFileSync(join(films.folder, 'old/A (2001)/A (2001).mp4'), join(films.folder, 'copy/A (2001).mp4'))
  t.match(await films.scan('rescan'), { itemsAdded: 1, itemsRemoved: 0 })
  t.match(await films.idsOf(), before)
  t.strictSame(await films.traces(), films.said)
})

void t.test('a clock that is set back between two scans costs nothing and hides nothing (F-13)', async (t) => {
  const films = await filmsUnderClock(t)
  const before = await films.idsOf()
  films.clock.advance(-YEAR_SECONDS)
  rmSync(join(films.folder, 'old/B (2002)'), { recursive: true })
  await putSample(films.folder, 'old/D (2004)/D (2004).mp4')
  films.move('old/A (2001)', 'new/A (2001)')
  t.match(await films.scan('rescan'), { status: 'completed', itemsAdded: 1, itemsRemoved: 1 })
  const after = await films.idsOf()
  t.equal(after['new/A (2001)/A (2001).mp4'], before['old/A (2001)/A (2001).mp4'])
  t.equal(Object.keys(after).length, 3)
  t.strictSame(await films.traces(), films.said)
  films.clock.advance(-YEAR_SECONDS)
  t.match(await films.scan('rescan'), { status: 'completed', itemsAdded: 0, itemsRemoved: 0 })
  t.strictSame(await films.idsOf(), after)
})

void t.test('a move that a scan saw before the clock was set back is still a move (F-12)', async (t) => {
  const films = await filmsUnderClock(t)
  const before = await idsByName(films)
  films.move('old/A (2001)/A (2001).mp4', 'hidden')
  await films.scan('scan')
  films.clock.advance(-YEAR_SECONDS)
  films.move('hidden', 'new/A (2001).mp4')
  t.match(await films.scan('rescan'), { status: 'completed', itemsRemoved: 0 })
  t.strictSame(await idsByName(films), before)
  t.strictSame(await films.traces(), films.said)
})
