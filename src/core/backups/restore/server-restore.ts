import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupErrors } from '../errors.ts'
import { findBackup } from '../folder/list-backups.ts'
import { withArchive } from '../folder/plain-archive.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { undoJournal, writeJournal } from './journal.ts'
import { checkArchive, stageRestore } from './restore-backup.ts'

type Dependencies = { config: Config; log: Logger; clock: Clock }

type Input = {
  id: string
  signal?: AbortSignal | undefined
  /** Ends this run of the server and starts another one, which puts the restored data in place. @throws if that is not possible */
  restart: () => void
}

/**
 * Restores a backup of the server's folder while the server runs: loads it beside the live data, and restarts. Changes that are made in
 * the meantime are in the replaced data only. `config.toml` is kept: the restart must be able to listen as before.
 * @throws AppError as `restoreBackup` does; `restore_in_use` with an external database, which a running server keeps in use
 */
export async function restoreAndRestart(needs: Dependencies, { id, signal, restart }: Input): Promise<void> {
  const { config } = needs
  if (config.options['database.host'] !== undefined) {
    throw backupErrors.restore_in_use({
      message: `This server uses the database. Stop it, and run: phlix backup:restore ${id} --force`,
    })
  }
  const { path } = await findBackup({ config, id, signal })
  const passphrase = await configuredPassphrase(needs)
  await withArchive({ config, path, passphrase, signal }, async (archive) => {
    await checkArchive(archive, { signal, onStep: undefined })
    const { journal } = await stageRestore(needs, { archive, keepsConfig: true, signal, onStep: undefined })
    writeJournal(config.dataDirectory, journal)
    try {
      restart()
    } catch (error) {
      undoJournal(config.dataDirectory, journal)
      await rm(join(config.dataDirectory, journal.side), { recursive: true, force: true })
      throw error
    }
  })
}
