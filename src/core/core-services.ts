import { loggedClose } from './logged-close.ts'
import type { Config } from './platform/config/index.ts'
import { openDatabase, type Database } from './platform/database/index.ts'
import { createEventBus, type EventBus } from './platform/events/index.ts'
import { createDiskThreads, type DiskThreads } from './platform/files/index.ts'
import { createJobQueue, type JobQueue } from './platform/jobs/index.ts'
import type { Logger } from './platform/logging/index.ts'
import { createOutbound, type Outbound } from './platform/outbound/index.ts'
import { applyDatabaseSettings } from './platform/settings/index.ts'
import { createBackgroundThrottle, type BackgroundThrottle } from './platform/threads/index.ts'
import { systemClock, type Clock } from './platform/time/index.ts'

/**
 * The dependencies of use cases that neither read media files nor ask a metadata provider. Each use case declares the ones that it uses.
 */
export type CoreServices = Readonly<{
  /** The configuration, with the settings that were in the database at the start. */
  config: Config
  clock: Clock
  log: Logger
  db: Database
  events: EventBus
  /** Connection URI of the database, for uses that need their own connection: session locks, the job queue, migrations. */
  connectionUri: string
  jobs: JobQueue
  /** Threads for file system calls that may block. */
  diskThreads: DiskThreads
  /** Makes background work wait while requests are answered. */
  throttle: BackgroundThrottle
  /** The HTTP client for other servers. */
  outbound: Outbound
  /** Closes all of the above in reverse order of opening; idempotent. Later calls wait for the first one. */
  close(): Promise<void>
}>

export type ServicesInput = {
  config: Config
  log: Logger
  clock?: Clock
}

/**
 * Opens the database and the services that need nothing else. Neither this module nor its imports load the media modules. Commands that
 * need no media therefore start fast. Does not migrate; `serve` and `migrate` do.
 * @throws AppError for example `database_unavailable`; services that were already open are closed
 */
export async function createCoreServices({
  config: initialConfig,
  log,
  clock = systemClock,
}: ServicesInput): Promise<CoreServices> {
  await using opened = new AsyncDisposableStack()
  const database = await openDatabase({ config: initialConfig, log })
  opened.defer(loggedClose(log, 'database', () => database.close()))
  const { pool: db, connectionUri } = database
  const config = await applyDatabaseSettings({ config: initialConfig, db })
  const jobs = createJobQueue({ connectionUri, log })
  opened.defer(loggedClose(log, 'job queue', () => jobs.close()))
  const outbound = createOutbound({ log })
  opened.defer(loggedClose(log, 'outbound connections', () => outbound.close()))
  const events = createEventBus({ log })
  const diskThreads = createDiskThreads()
  const throttle = createBackgroundThrottle()
  return Object.freeze({
    config,
    clock,
    log,
    db,
    events,
    connectionUri,
    jobs,
    diskThreads,
    throttle,
    outbound,
    close: closeOnce(opened),
  })
}

/**
 * Moves the open resources out of `opened`, so that the end of the `await using` block does not close them.
 * @returns a function that closes the resources; later calls wait for the first call
 */
export function closeOnce(opened: AsyncDisposableStack): () => Promise<void> {
  const owned = opened.move()
  let closing: Promise<void> | undefined
  return () => (closing ??= owned.disposeAsync())
}
