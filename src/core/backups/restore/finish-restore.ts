import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { acquireProcessLock } from '../../platform/spawn/index.ts'
import { backupErrors } from '../errors.ts'
import { untilEngineEnds } from '../scratch/open-scratch.ts'
import { applyJournal, readJournal, undoJournal, type Journal, type JournalStep } from '../journal/journal.ts'

type Input = { dataDirectory: string; onStep?: ((step: JournalStep) => void) | undefined }

/** The process that holds the lock may wait a minute for the end of the engine. */
const LOCK_LIMIT_MILLISECONDS = 90_000
const POLL_MILLISECONDS = 50

/**
 * Finishes the restore that the journal of the data directory describes: waits until no server uses the files, and renames them. If another
 * process is finishing the restore, waits for it.
 * @returns false if there is nothing to finish
 * @throws AppError `restore_in_use`, `restore_interrupted`
 */
export function finishRestore(input: Input): Promise<boolean> {
  return withJournal(input.dataDirectory, (journal) => finish(input, journal))
}

/** Finishes the restore of this process; a rename that fails undoes it. */
export async function finishOwnRestore(input: Input, own: Journal): Promise<void> {
  await withJournal(input.dataDirectory, async (journal) => {
    // Another process has finished it, and a later restore has begun.
    if (journal.side !== own.side) return
    try {
      await finish(input, journal)
    } catch (error) {
      await undo(input.dataDirectory, journal)
      throw error
    }
  })
}

/** Undoes the restore of this process, unless another process has finished it. Its data are removed. */
export async function undoOwnRestore(dataDirectory: string, own: Journal): Promise<void> {
  await withJournal(dataDirectory, async (journal) => {
    if (journal.side === own.side) await undo(dataDirectory, journal)
  })
}

async function finish({ dataDirectory, onStep }: Input, journal: Journal): Promise<void> {
  await untilEngineEnds(dataDirectory)
  applyJournal(dataDirectory, journal, onStep)
  await removeSide(dataDirectory, journal)
}

async function undo(dataDirectory: string, journal: Journal): Promise<void> {
  undoJournal(dataDirectory, journal)
  await removeSide(dataDirectory, journal)
}

async function removeSide(dataDirectory: string, { side }: Journal): Promise<void> {
  await rm(join(dataDirectory, side), { recursive: true, force: true })
}

/** Runs work on the journal while no other process changes it. @returns false if there is no journal */
async function withJournal(dataDirectory: string, work: (journal: Journal) => Promise<void>): Promise<boolean> {
  for (const deadline = performance.now() + LOCK_LIMIT_MILLISECONDS; readJournal(dataDirectory) !== undefined;) {
    const lock = acquireProcessLock({ path: join(dataDirectory, 'restore.lock'), address: dataDirectory })
    if (lock.holder === undefined) {
      try {
        const journal = readJournal(dataDirectory)
        if (journal !== undefined) await work(journal)
        return journal !== undefined
      } finally {
        lock.release()
      }
    }
    if (performance.now() > deadline) {
      throw backupErrors.restore_in_use({
        message: `Process ${lock.holder.pid} is restoring a backup in ${dataDirectory}.`,
      })
    }
    await pause(POLL_MILLISECONDS)
  }
  return false
}
