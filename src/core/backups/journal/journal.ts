import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { RESTORE_JOURNAL } from '../../platform/database/index.ts'
import { changeOwnerToDataOwner, createOwnedFolder, syncFolder } from '../../platform/files/index.ts'
import { parseJson } from '../../platform/json/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupErrors } from '../errors.ts'

const Name = z.string().regex(/^[a-z][a-z.]*(?:\/[a-z]+)?$/)

/**
 * The renames that put restored data in place. The file exists from the moment when the restored data are complete until the last rename,
 * and every start of Phlix finishes pending renames. If the file does not exist, an interrupted restore has changed nothing.
 */
const JournalRow = z.object({
  /** The folder with the restored data, relative to the data directory. */
  side: z.string().regex(/^restore-[0-9a-z-]+$/),
  /** The folder that receives the replaced data. It is structured like a data directory. */
  previous: z.string().regex(/^previous-[0-9A-Za-z-]+$/),
  /** Paths relative to each of the three folders. */
  names: z.array(Name),
})

export type Journal = z.infer<typeof JournalRow>

/** What has just been done, for tests of interruptions. */
export type JournalStep = 'journal' | 'moved-old' | 'moved-new' | 'done'

type OnStep = ((step: JournalStep) => void) | undefined

/** Writes the journal. From this moment the restore is completed by the next start, even if this process dies. */
export function writeJournal(dataDirectory: string, journal: Journal, onStep?: OnStep): void {
  const path = join(dataDirectory, RESTORE_JOURNAL)
  writeFileSync(`${path}.new`, `${JSON.stringify(journal)}\n`, { mode: 0o600, flush: true })
  changeOwnerToDataOwner(dataDirectory, `${path}.new`)
  renameSync(`${path}.new`, path)
  syncFolder(dataDirectory)
  onStep?.('journal')
}

/** The journal of a data directory; undefined if no restore is to be finished. */
export function readJournal(dataDirectory: string): Journal | undefined {
  const path = join(dataDirectory, RESTORE_JOURNAL)
  if (!existsSync(path)) return undefined
  const parsed = JournalRow.safeParse(parseJson(readFileSync(path)))
  if (parsed.success) return parsed.data
  throw backupErrors.restore_interrupted({ message: `${path} is not a journal of a restore`, cause: parsed.error })
}

/** Renames what has not been renamed yet, and removes the journal. Repeatable at every point. */
export function applyJournal(dataDirectory: string, journal: Journal, onStep?: OnStep): void {
  for (const name of journal.names) {
    const { staged, target, old } = pathsOf(dataDirectory, journal, name)
    if (!existsSync(staged)) {
      if (existsSync(target)) continue
      throw backupErrors.restore_interrupted({
        message: `Neither ${staged} nor ${target} exists.`,
        hint: `Move the replaced data from ${join(dataDirectory, journal.previous)} back, and remove ${RESTORE_JOURNAL}.`,
      })
    }
    if (existsSync(target)) {
      if (existsSync(old)) {
        throw backupErrors.restore_interrupted({ message: `${target} exists, although ${old} was moved from there` })
      }
      createOwnedFolder(dataDirectory, dirname(old), 0o711)
      renameSync(target, old)
      onStep?.('moved-old')
    }
    createOwnedFolder(dataDirectory, dirname(target), 0o711)
    renameSync(staged, target)
    onStep?.('moved-new')
  }
  removeJournal(dataDirectory, journal)
  onStep?.('done')
}

/** Renames everything back, and removes the journal: for a rename that is not possible. */
export function undoJournal(dataDirectory: string, journal: Journal): void {
  for (const name of journal.names.toReversed()) {
    const { staged, target, old } = pathsOf(dataDirectory, journal, name)
    if (!existsSync(staged) && existsSync(target)) renameSync(target, staged)
    if (existsSync(old)) renameSync(old, target)
  }
  removeJournal(dataDirectory, journal)
}

/** Before the journal is removed, the old and the new parent folder of each rename are written to the disk. */
function removeJournal(dataDirectory: string, journal: Journal): void {
  const parents = journal.names.flatMap((name) => Object.values(pathsOf(dataDirectory, journal, name)).map(dirname))
  for (const parent of new Set([...parents, dataDirectory])) if (existsSync(parent)) syncFolder(parent)
  rmSync(join(dataDirectory, RESTORE_JOURNAL), { force: true })
  syncFolder(dataDirectory)
}

/** The name of a new folder for replaced data. */
export function previousFolderName(clock: Clock): string {
  const time = clock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
  return `previous-${time}-${randomBytes(3).toString('hex')}`
}

function pathsOf(dataDirectory: string, { side, previous }: Journal, name: string) {
  return {
    staged: join(dataDirectory, side, name),
    target: join(dataDirectory, name),
    old: join(dataDirectory, previous, name),
  }
}
