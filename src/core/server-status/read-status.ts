import { join } from 'node:path'
import { releaseVersion, type Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { freeSpaceBytes } from '../platform/files/index.ts'
import { readProcessLock } from '../platform/spawn/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ServerCounts } from './queries.ts'
import { readServerCounts } from './read-counts.ts'

export type ServerStatus = {
  version: string
  at: Date
  /** The server of this data directory; null if none runs. */
  server: { pid: number; address: string; startedAt: Date } | null
  database: 'embedded' | 'external'
  counts: ServerCounts
  freeBytes: number
  floorBytes: number
}

/** What runs and what waits, from the database and the data directory. @throws AppError `database_unavailable` */
export async function readServerStatus({
  config,
  db,
  clock,
}: {
  config: Config
  db: Connection
  clock: Clock
}): Promise<ServerStatus> {
  const { dataDirectory, options } = config
  const { holder, takenAt } = readProcessLock(join(dataDirectory, 'serve.lock'))
  const [counts, freeBytes] = await Promise.all([readServerCounts({ db, clock }), freeSpaceBytes(dataDirectory)])
  return {
    version: releaseVersion(),
    at: clock.now(),
    server: holder === undefined || takenAt === undefined ? null : { ...holder, startedAt: takenAt },
    database: options['database.host'] === undefined ? 'embedded' : 'external',
    counts,
    freeBytes,
    floorBytes: options['hls.min_disk_space_bytes'],
  }
}
