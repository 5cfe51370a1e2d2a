import type { Config } from '../../platform/config/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { lockBackups } from '../create/lock.ts'
import { backupErrors } from '../errors.ts'
import { findBackup } from '../folder/list-backups.ts'
import { withArchive } from '../open/with-archive.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { undoOwnRestore } from './finish-restore.ts'
import { readJournal, writeJournal } from '../journal/journal.ts'
import { checkArchive, stageRestore } from './restore-backup.ts'

type Dependencies = { config: Config; log: Logger; clock: Clock; connectionUri: string }

type Input = {
  id: string
  signal?: AbortSignal | undefined
  /**
   * Ends this run of the server and starts another one, which puts the restored data in place. @throws if the server cannot be restarted
   */
  restart: () => void
}

/**
 * Restores a backup of the server's folder while the server runs: loads it into a separate place, and restarts. Changes that are made
 * before the restart are only in the replaced data. `config.toml` is kept: the restart must be able to listen as before.
 * @throws AppError as `restoreBackup` does; `backup_busy`, `restore_in_use` with an external database, which a running server keeps in use,
 * and while another restore waits for the restart
 */
export async function restoreAndRestart(needs: Dependencies, { id, signal, restart }: Input): Promise<void> {
  const { config } = needs
  if (config.options['database.host'] !== undefined) {
    throw backupErrors.restore_in_use({
      message: `This server uses the database. Stop it, and run: phlix backup:restore ${id} --force`,
    })
  }
  const lock = await lockBackups(needs)
  try {
    await loadAndRestart(needs, { id, signal, restart })
  } finally {
    await lock.release()
  }
}

async function loadAndRestart(needs: Dependencies, { id, signal, restart }: Input): Promise<void> {
  const { config } = needs
  if (readJournal(config.dataDirectory) !== undefined) {
    throw backupErrors.restore_in_use({
      message: 'Another restore was loaded; the server is about to restart with it.',
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
      await undoOwnRestore(config.dataDirectory, journal)
      throw error
    }
  })
}
