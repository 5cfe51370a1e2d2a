import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { changeOwnerToDataOwner } from '../../platform/files/index.ts'
import { backupFolder, isBackupName } from '../folder/backup-file.ts'
import { removeFiles } from '../retention/prune-backups.ts'

type Directory = { dataDirectory: string }

/**
 * A file with the name of the backup that an unfinished upgrade has made. If the upgrade was killed, the next attempt removes that backup,
 * because the old cluster still has the same data. Otherwise a service manager that restarts the server after each failed upgrade would fill the disk.
 */
const FILE = 'upgrade-backup'

/** Stores the name of the backup. Called when the backup is complete. */
export function recordUpgradeBackup({ dataDirectory }: Directory, backupPath: string): void {
  const path = join(dataDirectory, FILE)
  writeFileSync(path, basename(backupPath), { mode: 0o600, flush: true })
  changeOwnerToDataOwner(dataDirectory, path)
}

/** Removes the stored name. Called when the new cluster is complete, so that the backup is kept, or when the backup has been removed. */
export function removeUpgradeBackupRecord({ dataDirectory }: Directory): void {
  rmSync(join(dataDirectory, FILE), { force: true })
}

/** Removes the backup of an upgrade that was killed before its new cluster was complete. */
export async function removeAbandonedBackup(directory: Directory): Promise<void> {
  const name = readName(directory)
  if (name !== undefined && isBackupName(name)) await removeFiles({ path: join(backupFolder(directory), name) })
  removeUpgradeBackupRecord(directory)
}

function readName({ dataDirectory }: Directory): string | undefined {
  try {
    return basename(readFileSync(join(dataDirectory, FILE), 'utf8'))
  } catch {
    return undefined
  }
}
