import { lstat, rm } from 'node:fs/promises'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import { backupErrors } from '../errors.ts'
import { SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { findBackup, listBackups, type ListedBackup } from '../folder/list-backups.ts'
import { findBackupsToKeep, type RetentionRules } from './retention.ts'

type Input = {
  config: Pick<Config, 'dataDirectory'>
  folder?: string | undefined
  rules: RetentionRules
  /** The backup that was just made. It is kept even if a wrong clock has dated other backups later. */
  protectedId?: string | undefined
  isDryRun?: boolean | undefined
}

export type PrunedBackup = { backup: ListedBackup; isKept: boolean }

/** Removes the backups of a folder that no rule keeps. @returns all backups, newest first */
export async function pruneBackups({
  config,
  folder,
  rules,
  protectedId,
  isDryRun = false,
}: Input): Promise<PrunedBackup[]> {
  const backups = await listBackups({ config, folder })
  const kept = findBackupsToKeep(backups, rules)
  for (const backup of backups) if (backup.id === protectedId) kept.add(backup)
  if (!isDryRun) for (const backup of backups) if (!kept.has(backup)) await removeFiles(backup)
  return backups.map((backup) => ({ backup, isKept: kept.has(backup) }))
}

/** Removes one backup, even a damaged one. @throws AppError `backup_not_found`, `backup_is_folder` */
export async function deleteBackup({
  config,
  id,
}: {
  config: Pick<Config, 'dataDirectory'>
  id: string
}): Promise<ListedBackup> {
  const backup = await findBackup({ config, id })
  if (await isFolder(backup.path)) {
    throw backupErrors.backup_is_folder({
      message: `${backup.path} is a folder, and is not removed`,
      hint: 'Check its content, and remove it by hand.',
    })
  }
  await removeFiles(backup)
  return backup
}

/** False if it no longer exists. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error
    return false
  }
}

/** Removes a backup, with what `list` shows of an encrypted one. */
export async function removeFiles({ path }: Pick<ListedBackup, 'path'>): Promise<void> {
  await rm(path, { force: true })
  await rm(`${path}${SIDECAR_SUFFIX}`, { force: true })
}
