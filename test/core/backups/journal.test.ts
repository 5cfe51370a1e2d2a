import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { finishRestore } from '../../../src/core/backups/index.ts'
import { applyJournal, undoJournal, writeJournal, type Journal } from '../../../src/core/backups/journal/journal.ts'
import { finishOwnRestore, undoOwnRestore } from '../../../src/core/backups/restore/finish-restore.ts'
import { removeAbandonedSides } from '../../../src/core/backups/scratch/open-scratch.ts'
import { acquireProcessLock } from '../../../src/core/platform/spawn/index.ts'
import { reachableDirectory } from '../../support/directories.ts'

/**
 * The renames of a restore on plain files. A process that is killed after any of them leaves what an exception after that rename leaves:
 * nothing runs in between.
 */

const JOURNAL: Journal = {
  side: 'restore-1-2-abc',
  previous: 'previous-20260101T000000Z-abc',
  names: ['postgres', 'keys', 'config.toml', 'cache/artwork'],
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const FILES = ['postgres/PG_VERSION', 'keys/jwt-secret', 'config.toml', 'cache/artwork/a']

/** A data directory whose restored data are complete. `cache/artwork` does not exist yet. */
function stagedDirectory(t: Test): string {
  const directory = reachableDirectory(t)
  for (const file of FILES) put(join(directory, JOURNAL.side, file), 'new')
  for (const file of FILES.slice(0, 3)) put(join(directory, file), 'old')
  put(join(directory, 'backups/a.tar'), 'kept')
  return directory
}

function contentOf(directory: string): (string | undefined)[] {
  return FILES.map((file) =>
    existsSync(join(directory, file)) ? readFileSync(join(directory, file), 'utf8') : undefined,
  )
}

class Killed extends Error {}

/** Runs the renames and stops after a number of steps. @returns whether the end was reached before */
function runUntil(directory: string, limit: number): boolean {
  let steps = 0
  const onStep = (): void => {
    steps += 1
    if (steps > limit) throw new Killed()
  }
  try {
    writeJournal(directory, JOURNAL, onStep)
    applyJournal(directory, JOURNAL, onStep)
    return true
  } catch (error) {
    if (error instanceof Killed) return false
    throw error
  }
}

void t.test('a restore that is interrupted after any step is finished by the next start', async (t) => {
  for (let limit = 0; ; limit += 1) {
    const directory = stagedDirectory(t)
    const isComplete = runUntil(directory, limit)
    t.equal(await finishRestore({ dataDirectory: directory }), !isComplete && limit < 8, `after step ${limit}`)
    t.strictSame(contentOf(directory), ['new', 'new', 'new', 'new'])
    t.strictSame(contentOf(join(directory, JOURNAL.previous)), ['old', 'old', 'old', undefined])
    t.equal(existsSync(join(directory, 'restore.json')), false)
    t.equal(readFileSync(join(directory, 'backups/a.tar'), 'utf8'), 'kept')
    if (isComplete) break
  }
})

void t.test('after a rename that fails everything is where it was', async (t) => {
  for (let limit = 0; limit < 8; limit += 1) {
    const directory = stagedDirectory(t)
    runUntil(directory, limit)
    undoJournal(directory, JOURNAL)
    t.strictSame(contentOf(directory), ['old', 'old', 'old', undefined], `after step ${limit}`)
    t.strictSame(contentOf(join(directory, JOURNAL.side)), ['new', 'new', 'new', 'new'])
    t.equal(existsSync(join(directory, 'restore.json')), false)
  }
})

void t.test(
  'the undo of a restore that another process has finished, or that is not the one of the journal, changes nothing',
  async (t) => {
    const directory = stagedDirectory(t)
    runUntil(directory, 1)
    await undoOwnRestore(directory, { ...JOURNAL, side: 'restore-9-9-abc' })
    t.equal(existsSync(join(directory, 'restore.json')), true)
    await finishRestore({ dataDirectory: directory })
    await undoOwnRestore(directory, JOURNAL)
    t.strictSame(contentOf(directory), ['new', 'new', 'new', 'new'])
  },
)

void t.test('the undo of a restore removes its data', async (t) => {
  const directory = stagedDirectory(t)
  runUntil(directory, 3)
  await undoOwnRestore(directory, JOURNAL)
  t.strictSame(contentOf(directory), ['old', 'old', 'old', undefined])
  t.strictSame(
    readdirSync(directory).filter((name) => name.startsWith('restore')),
    [],
  )
})

void t.test('a restore whose lock is held is waited for, and not undone', async (t) => {
  const directory = stagedDirectory(t)
  runUntil(directory, 1)
  const lock = acquireProcessLock({ path: join(directory, 'restore.lock'), address: 'another process' })
  const waiting = finishOwnRestore({ dataDirectory: directory }, JOURNAL)
  applyJournal(directory, JOURNAL)
  lock.release()
  await waiting
  t.strictSame(contentOf(directory), ['new', 'new', 'new', 'new'])
})

void t.test('the restored data of a journal are kept while it exists; without them it is not finished', async (t) => {
  const directory = stagedDirectory(t)
  runUntil(directory, 1)
  put(join(directory, 'restore-1-3-abc/keys/a'), 'of a killed process')
  await removeAbandonedSides(directory)
  t.equal(existsSync(join(directory, JOURNAL.side)), true)
  t.equal(existsSync(join(directory, 'restore-1-3-abc')), false)
  rmSync(join(directory, JOURNAL.side), { recursive: true })
  rmSync(join(directory, 'postgres'), { recursive: true, force: true })
  await t.rejects(finishRestore({ dataDirectory: directory }), { code: 'restore_interrupted', message: /Neither/ })
  t.equal(existsSync(join(directory, 'restore.json')), true)
})

void t.test(
  'root gives everything to the owner of the data directory',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const directory = stagedDirectory(t)
    chownSync(directory, 65_534, 65_534)
    runUntil(directory, 1)
    t.equal(statSync(join(directory, 'restore.json')).uid, 65_534)
    await finishRestore({ dataDirectory: directory })
    for (const name of ['cache', JOURNAL.previous]) t.equal(statSync(join(directory, name)).uid, 65_534, name)
  },
)

void t.test('a start without a journal changes nothing', async (t) => {
  const directory = stagedDirectory(t)
  t.equal(await finishRestore({ dataDirectory: directory }), false)
  t.strictSame(contentOf(directory), ['old', 'old', 'old', undefined])
})

void t.test('a journal that names other folders is refused', async (t) => {
  const directory = reachableDirectory(t)
  for (const journal of [
    '',
    '{}',
    JSON.stringify({ ...JOURNAL, names: ['../x'] }),
    JSON.stringify({ ...JOURNAL, side: '/etc' }),
  ]) {
    put(join(directory, 'restore.json'), journal)
    await t.rejects(finishRestore({ dataDirectory: directory }), { code: 'restore_interrupted' })
  }
  t.strictSame(readdirSync(directory), ['restore.json'])
})

void t.test('data that appeared between two renames are not overwritten', async (t) => {
  const directory = stagedDirectory(t)
  runUntil(directory, 1)
  put(join(directory, 'postgres/PG_VERSION'), 'appeared')
  await t.rejects(finishRestore({ dataDirectory: directory }), { code: 'restore_interrupted' })
  t.strictSame(contentOf(directory)[0], 'appeared')
  t.strictSame(contentOf(join(directory, JOURNAL.previous))[0], 'old')
})
