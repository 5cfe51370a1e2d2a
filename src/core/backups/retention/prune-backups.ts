import { rm } from 'node:fs/promises'
import type { Config } from '../../platform/config/index.ts'
import { SIDECAR_SUFFIX } from '../folder/backup-file.ts'
import { findBackup, listBackups, type ListedBackup } from '../folder/list-backups.ts'
import { keptBackups, type RetentionRules } from './retention.ts'

type Input = {
  config: Pick<Config, 'dataDirectory'>
  folder?: string | undefined
  rules: RetentionRules
  isDryRun?: boolean | undefined
}

export type PrunedBackup = { backup: ListedBackup; isKept: boolean }

/** Removes the backups of a folder that no rule keeps. @returns all backups, newest first */
export async function pruneBackups({ config, folder, rules, isDryRun = false }: Input): Promise<PrunedBackup[]> {
  const backups = await listBackups({ config, folder })
  const kept = keptBackups(backups, rules)
  if (!isDryRun) for (const backup of backups) if (!kept.has(backup)) await removeFiles(backup)
  return backups.map((backup) => ({ backup, isKept: kept.has(backup) }))
}

/** Removes one backup, also a damaged one. @throws AppError `backup_not_found` */
export async function deleteBackup({
  config,
  id,
}: {
  config: Pick<Config, 'dataDirectory'>
  id: string
}): Promise<ListedBackup> {
  const backup = await findBackup({ config, id })
  await removeFiles(backup)
  return backup
}

async function removeFiles({ path }: ListedBackup): Promise<void> {
  await rm(path, { force: true })
  await rm(`${path}${SIDECAR_SUFFIX}`, { force: true })
}
