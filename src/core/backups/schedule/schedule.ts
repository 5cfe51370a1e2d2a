import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { withDedicatedConnection, type Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { changeSettings, readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import { createBackup, type CreatedBackup } from '../create/create-backup.ts'
import { backupFolder } from '../folder/backup-file.ts'
import { newestArchive } from '../folder/newest-archive.ts'
import { configuredPassphrase } from '../passphrase.ts'
import { hasContent } from '../queries.ts'
import { hasBucket } from '../remote/bucket.ts'
import { removeReplacedClusters } from '../upgrade/replaced-clusters.ts'
import { pruneBackups } from '../retention/prune-backups.ts'
import { reportCompleted, reportFailed } from './report-backup.ts'
import { uploadNewest } from './upload-newest.ts'

type Dependencies = Needs & { outbound: Outbound }

type Needs = { config: Config; clock: Clock; log: Logger; db: Database; connectionUri: string }

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
  const newest = await newestArchive(backupFolder(needs.config), needs.clock)
  const nextAt =
    newest === undefined ? needs.clock.now() : new Date(newest.time.getTime() + intervalDays * DAY_MILLISECONDS)
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
 * Makes a backup in the folder of the server, and removes the oldest backups above `backups.retention`.
 * @throws AppError as `createBackup` does; then nothing is removed
 */
export async function makeServerBackup(
  needs: Needs,
  input: { label?: string | undefined; signal?: AbortSignal | undefined },
): Promise<CreatedBackup> {
  const passphrase = await configuredPassphrase(needs)
  const created = await createBackup(needs, { ...input, passphrase })
  const last = await readSetting(needs, 'backups.retention')
  await pruneBackups({ config: needs.config, rules: { last }, protectedId: created.id })
  await reportCompleted(needs, { ...created, place: 'folder' })
  return created
}

/** Makes a backup if one is due and the database has accounts or libraries. @returns undefined if none is due */
export async function makeDueBackup(needs: Needs, signal?: AbortSignal): Promise<CreatedBackup | undefined> {
  const { nextAt } = await readSchedule(needs)
  if (nextAt === null || nextAt > needs.clock.now()) return undefined
  if (!(await withDedicatedConnection(needs.connectionUri, hasContent))) return undefined
  return makeServerBackup(needs, { label: 'scheduled', signal })
}

/**
 * Looks every ten minutes whether a backup is due, whether the newest one has to be copied to the bucket, and whether a cluster that an
 * upgrade has replaced can be removed. A failure is logged, and
 * tried again after ten minutes; only the first one until a success is an event.
 */
export function watchBackups(needs: Dependencies): PeriodicTask {
  const failing = new Set<Place>()
  return startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    work: async (signal) => {
      for (const place of PLACES) {
        try {
          await workAt(needs, place, signal)
          failing.delete(place)
        } catch (error) {
          signal.throwIfAborted()
          needs.log.error({ place, reason: describeError(error) }, 'the scheduled backup failed')
          if (!failing.has(place)) await reportFailed(needs, { place, error })
          failing.add(place)
        }
      }
      await removeReplacedClusters(needs)
    },
    onError: (error) => needs.log.error({ reason: describeError(error) }, 'the scheduled backup failed'),
  })
}

const PLACES = ['folder', 'bucket'] as const

type Place = (typeof PLACES)[number]

async function workAt(needs: Dependencies, place: Place, signal: AbortSignal): Promise<void> {
  const { config, log } = needs
  if (place === 'folder') {
    const created = await makeDueBackup(needs, signal)
    if (created !== undefined) log.notice({ path: created.path, bytes: created.bytes }, 'made the scheduled backup')
  } else if (hasBucket(config)) {
    const uploaded = await uploadNewest(needs, signal)
    if (uploaded !== undefined) log.notice({ location: uploaded.location, bytes: uploaded.bytes }, 'uploaded a backup')
  }
}
