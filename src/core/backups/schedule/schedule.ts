import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { withClient, type Database } from '../../platform/database/index.ts'
import { AppError, describeError, systemErrorCode } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { changeSettings, readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { openArchive } from '../archive/read-archive.ts'
import { createBackup, type CreatedBackup } from '../create/create-backup.ts'
import { backupFolder, ENCRYPTED_SUFFIX, timeOfName } from '../folder/backup-file.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { hasContent } from '../queries.ts'
import { pruneBackups } from '../retention/prune-backups.ts'

type Dependencies = { config: Config; clock: Clock; log: Logger; db: Database; connectionUri: string }

export type BackupSchedule = {
  /** 0: no backups by the server itself. */
  intervalDays: number
  retention: number
  /** Null if there are none. In the past if one is due. */
  nextAt: Date | null
}

const DAY_MILLISECONDS = 86_400_000
const CHECK_MILLISECONDS = 10 * 60_000

/** The settings, and when the next backup is due: one interval after the newest one, at once without one. */
export async function readSchedule(needs: Pick<Dependencies, 'config' | 'clock' | 'db'>): Promise<BackupSchedule> {
  const intervalDays = await readSetting(needs, 'backups.interval_days')
  const retention = await readSetting(needs, 'backups.retention')
  if (intervalDays === 0) return { intervalDays, retention, nextAt: null }
  const newest = await newestTime(backupFolder(needs.config))
  const nextAt = newest === undefined ? needs.clock.now() : new Date(newest.getTime() + intervalDays * DAY_MILLISECONDS)
  return { intervalDays, retention, nextAt }
}

/** Changes the given settings. @throws AppError `setting_invalid`, `setting_locked` */
export async function changeSchedule(
  needs: Pick<Dependencies, 'config' | 'clock' | 'db'>,
  { intervalDays, retention }: { intervalDays?: number | undefined; retention?: number | undefined },
): Promise<BackupSchedule> {
  await changeSettings(needs, {
    ...(intervalDays === undefined ? {} : { 'backups.interval_days': intervalDays }),
    ...(retention === undefined ? {} : { 'backups.retention': retention }),
  })
  return readSchedule(needs)
}

/**
 * Makes a backup in the folder of the server, and removes the oldest ones above `backups.retention`.
 * @throws AppError as `createBackup` does; then nothing is removed
 */
export async function makeServerBackup(
  needs: Dependencies,
  input: { label?: string | undefined; signal?: AbortSignal | undefined },
): Promise<CreatedBackup> {
  const passphrase = await configuredPassphrase(needs)
  const created = await createBackup(needs, { ...input, passphrase })
  const last = await readSetting(needs, 'backups.retention')
  await pruneBackups({ config: needs.config, rules: { last } })
  return created
}

/** Makes a backup if one is due and the database has accounts or libraries. @returns undefined if none is due */
export async function makeDueBackup(needs: Dependencies, signal?: AbortSignal): Promise<CreatedBackup | undefined> {
  const { nextAt } = await readSchedule(needs)
  if (nextAt === null || nextAt > needs.clock.now()) return undefined
  if (!(await withClient(needs.connectionUri, hasContent))) return undefined
  return makeServerBackup(needs, { label: 'scheduled', signal })
}

/** Looks every ten minutes whether a backup is due. A failure is logged, and tried again after ten minutes. */
export function watchBackups(needs: Dependencies): PeriodicTask {
  return startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    work: async (signal) => {
      const created = await makeDueBackup(needs, signal)
      if (created !== undefined)
        needs.log.notice({ path: created.path, bytes: created.bytes }, 'made the scheduled backup')
    },
    onError: (error) => needs.log.error({ reason: describeError(error) }, 'the scheduled backup failed'),
  })
}

/** The time of the newest archive whose structure is right. Contents are not read. */
async function newestTime(folder: string): Promise<Date | undefined> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return []
    throw error
  })
  const timed = names.flatMap((name) => {
    const time = timeOfName(name)
    return time === undefined ? [] : [{ name, time }]
  })
  for (const { name, time } of timed.toSorted((a, b) => b.time.getTime() - a.time.getTime())) {
    if (name.endsWith(ENCRYPTED_SUFFIX) || (await isWhole(join(folder, name)))) return time
  }
  return undefined
}

async function isWhole(path: string): Promise<boolean> {
  try {
    await (await openArchive(path)).close()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
