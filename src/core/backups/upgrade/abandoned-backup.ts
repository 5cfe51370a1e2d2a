import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { changeOwnerToDataOwner } from '../../platform/files/index.ts'
import { backupFolder, isBackupName } from '../folder/backup-file.ts'
import { removeFiles } from '../retention/prune-backups.ts'

type Directory = { dataDirectory: string }

/**
 * Names the backup of an upgrade that is not finished. Such a backup has nothing that the old cluster has not. A service manager that starts
 * a server again and again, whose upgrade fails each time, would fill the disk with them, and they would take the place of other backups.
 */
const FILE = 'upgrade-backup'

/** Called when the backup is complete. */
export function noteBackup({ dataDirectory }: Directory, backupPath: string): void {
  const path = join(dataDirectory, FILE)
  writeFileSync(path, basename(backupPath), { mode: 0o600, flush: true })
  changeOwnerToDataOwner(dataDirectory, path)
}

/** Called when the new cluster is complete, so that the backup is kept, or when the backup has been removed. */
export function forgetBackup({ dataDirectory }: Directory): void {
  rmSync(join(dataDirectory, FILE), { force: true })
}

/** Removes the backup of an upgrade that was killed before its new cluster was complete. */
export async function removeAbandonedBackup(directory: Directory): Promise<void> {
  const name = readName(directory)
  if (name !== undefined && isBackupName(name)) await removeFiles({ path: join(backupFolder(directory), name) })
  forgetBackup(directory)
}

function readName({ dataDirectory }: Directory): string | undefined {
  try {
    return basename(readFileSync(join(dataDirectory, FILE), 'utf8'))
  } catch {
    return undefined
  }
}
