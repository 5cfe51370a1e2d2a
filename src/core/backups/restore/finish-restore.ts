import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { takeProcessLock } from '../../platform/spawn/index.ts'
import { backupErrors } from '../errors.ts'
import { untilEngineEnds } from '../scratch/open-scratch.ts'
import { applyJournal, readJournal, undoJournal, type Journal, type JournalStep } from './journal.ts'

type Input = { dataDirectory: string; onStep?: ((step: JournalStep) => void) | undefined }

/**
 * Finishes the restore that the journal of the data directory describes: waits until no server uses the files, and renames them.
 * @returns false if there is nothing to finish
 * @throws AppError `restore_in_use`, `restore_interrupted`
 */
export async function finishRestore({ dataDirectory, onStep }: Input): Promise<boolean> {
  if (readJournal(dataDirectory) === undefined) return false
  const lock = takeProcessLock({ path: join(dataDirectory, 'restore.lock'), address: dataDirectory })
  if (lock.holder !== undefined) {
    throw backupErrors.restore_in_use({ message: `Process ${lock.holder.pid} restores a backup in ${dataDirectory}.` })
  }
  try {
    const journal = readJournal(dataDirectory)
    if (journal === undefined) return false
    await untilEngineEnds(dataDirectory)
    applyJournal(dataDirectory, journal, onStep)
    await rm(join(dataDirectory, journal.side), { recursive: true, force: true })
    return true
  } finally {
    lock.release()
  }
}

/** Finishes the restore of this process; a rename that fails undoes it. */
export async function finishOwnRestore(input: Input, journal: Journal): Promise<void> {
  try {
    await finishRestore(input)
  } catch (error) {
    undoJournal(input.dataDirectory, journal)
    throw error
  }
}
