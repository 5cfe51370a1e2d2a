import type { Config } from '../../platform/config/index.ts'
import { withDedicatedConnection, type Database } from '../../platform/database/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupFolder } from '../folder/backup-file.ts'
import { newestArchive, newestName } from '../folder/newest-archive.ts'
import { hasContent, selectDatabaseCreatedAt } from '../queries.ts'
import { readSchedule } from './schedule.ts'

type Dependencies = { config: Config; clock: Clock; db: Database; connectionUri: string }

/** `off`: the server makes no backups. `damaged`: the newest archive, whose name is `name`, is damaged. */
export type Overdue =
  | { state: 'off' | 'in-time' }
  | { state: 'overdue'; newestAt: Date | null }
  | { state: 'damaged'; name: string }

/** A server tries every ten minutes: after a day it has failed often, or did not run. */
const TOLERANCE_MILLISECONDS = 86_400_000

/** Whether the backups of the server's folder are as new as the schedule demands. */
export async function findOverdue(needs: Dependencies): Promise<Overdue> {
  const { config, clock, connectionUri } = needs
  const { intervalDays, nextAt } = await readSchedule(needs)
  if (intervalDays === 0 || nextAt === null) return { state: 'off' }
  const folder = backupFolder(config)
  const [newest, name] = await Promise.all([newestArchive(folder, clock), newestName(folder, clock)])
  if (name !== undefined && newest?.name !== name) return { state: 'damaged', name }
  const dueAt = newest === undefined ? await withDedicatedConnection(connectionUri, dueSince) : nextAt
  const isOverdue = dueAt !== undefined && clock.now().getTime() - dueAt.getTime() > TOLERANCE_MILLISECONDS
  return isOverdue ? { state: 'overdue', newestAt: newest?.time ?? null } : { state: 'in-time' }
}

/** Undefined for a database without accounts and libraries, of which no backup is made. */
async function dueSince(client: Parameters<typeof hasContent>[0]): Promise<Date | undefined> {
  return (await hasContent(client)) ? selectDatabaseCreatedAt(client) : undefined
}
