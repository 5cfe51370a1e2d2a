import { createClosers } from './closers.ts'
import type { Config } from './platform/config/index.ts'
import { openDatabase, type Database } from './platform/database/index.ts'
import { createJobQueue, type JobQueue } from './platform/jobs/index.ts'
import { createUrlSigner, loadSigningSecret, type UrlSigner } from './platform/keys/index.ts'
import type { Logger } from './platform/logging/index.ts'
import { createMediaTools, type MediaTools } from './platform/media-tools/index.ts'
import { markChildren, sweepOrphans } from './platform/spawn/index.ts'
import { systemClock, type Clock } from './platform/time/index.ts'
import { createSegmentServer, type SegmentServer } from './streaming/index.ts'

/** Everything that the product's use-cases need from outside; they name the parts that they use. */
export type Services = Readonly<{
  config: Config
  clock: Clock
  log: Logger
  db: Database
  /** For what needs a connection of its own: session locks, the job queue, migrations. */
  connectionUri: string
  jobs: JobQueue
  mediaTools: MediaTools
  jwtSecret: Buffer
  signer: UrlSigner
  segments: SegmentServer
  /** Closes all of the above, last opened first; idempotent. */
  close(): Promise<void>
}>

export type ServicesInput = {
  config: Config
  log: Logger
  clock?: Clock
}

/**
 * The composition root: opens what the process needs, in dependency order, and knows how to close it.
 * Does not migrate; `serve` and `migrate` do that. Programs that a killed process of this data directory left behind are ended first.
 * @throws AppError `insecure_jwt_secret`, `database_unavailable` and alike; whatever was open by then is closed again
 */
export async function createServices({ config, log, clock = systemClock }: ServicesInput): Promise<Services> {
  markChildren(config.dataDirectory)
  // A parent that is killed between starting a program and the program's asking for its death signal leaves it behind.
  const orphans = sweepOrphans({ dataDirectory: config.dataDirectory, log })
  if (orphans > 0) log.notice({ count: orphans }, 'ended programs that a killed process left behind')
  const closers = createClosers(log)
  try {
    const jwtSecret = await loadSigningSecret({ config })
    const signer = createUrlSigner({ secret: jwtSecret, clock })
    const mediaTools = createMediaTools({ config, log })
    const database = await openDatabase({ config, log })
    closers.add('database', () => database.close())
    const { pool: db, connectionUri } = database
    const jobs = createJobQueue({ connectionUri, log })
    closers.add('job queue', () => jobs.close())
    const segments = createSegmentServer({ config, log, clock, db, mediaTools })
    closers.add('segment encoders', () => segments.close())
    return Object.freeze({
      config,
      clock,
      log,
      db,
      connectionUri,
      jobs,
      mediaTools,
      jwtSecret,
      signer,
      segments,
      close: () => closers.closeAll(),
    })
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}
