import type { Job, PgBoss } from 'pg-boss'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'

/** The kinds of background jobs. A new kind needs its name here and its use case in `core/workers.ts`. */
export type JobName = 'library.scan' | 'library.analysis' | 'maintenance'

export type JobHandler = (payload: { id: string }) => Promise<void>

/**
 * The queue only notifies workers. It carries the id of a row in a domain table; that row holds the state of the job. Delivery is at least
 * once, so a handler first claims its row.
 */
export type JobQueue = {
  /** Enqueues an id. An id that is already waiting is not added twice. The first call starts the queue; calls after `close` do nothing. */
  enqueue(name: JobName, payload: { id: string }): Promise<void>
  /**
   * Handles ids of this name from now on, at most `concurrency` (2 by default) at a time per process. A failed handler is logged and not
   * retried. After a failed call, a repeated call starts only the workers that are missing.
   */
  work(name: JobName, handler: JobHandler, options?: { concurrency?: number }): Promise<void>
  /** Stops taking ids, waits up to 10 s for running handlers, and closes the connections. Idempotent. */
  close(): Promise<void>
}

export type JobQueueOptions = {
  connectionUri: string
  log: Logger
  /** How often a worker polls although no notification arrived. */
  backstopSeconds?: number
}

const SCHEMA = 'pgboss'
const CONNECTIONS = 3
/** How often a worker polls while the connection for notifications is down. */
const POLL_SECONDS = 2
const BACKSTOP_SECONDS = 30
const HOUR_SECONDS = 3600
const CLOSE_TIMEOUT_MILLISECONDS = 10_000

/** `short`: one waiting entry per id, regardless of active entries. The active entry of a killed worker must not block the next one. */
const QUEUE = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * HOUR_SECONDS,
  deleteAfterSeconds: HOUR_SECONDS,
} as const

/**
 * A job queue in the product's database, in the schema `pgboss`, which pg-boss migrates itself. Opens nothing before the first `enqueue` or
 * `work`, so that commands without background work have no cost.
 */
export function createJobQueue({ connectionUri, log, backstopSeconds = BACKSTOP_SECONDS }: JobQueueOptions): JobQueue {
  const logger = log.child({ domain: 'jobs' })
  const known = new Set<JobName>()
  const workerCounts = new Map<JobName, number>()
  let opening: Promise<PgBoss> | undefined
  let closing: Promise<void> | undefined

  async function open(): Promise<PgBoss> {
    opening ??= startBoss(connectionUri, logger)
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  async function openQueue(name: JobName): Promise<PgBoss> {
    const boss = await open()
    if (!known.has(name)) await boss.createQueue(name, QUEUE)
    known.add(name)
    return boss
  }

  async function startWorker(boss: PgBoss, name: JobName, handler: JobHandler): Promise<void> {
    const options = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: backstopSeconds }
    const worker: string = await boss.work<{ id: string }>(name, options, async (jobs) => {
      await runHandler(jobs, handler, logger)
      // A worker that has finished a job would sleep until the next notification, but the notifications of waiting ids arrived while it was
      // busy.
      boss.notifyWorker(worker)
    })
  }

  async function close(): Promise<void> {
    if (opening === undefined) return
    const boss = await opening.catch(() => undefined)
    await boss?.stop({ graceful: true, timeout: CLOSE_TIMEOUT_MILLISECONDS })
  }

  return {
    async enqueue(name, { id }) {
      // No new work during shutdown. Rows without an entry are found by the next recovery.
      if (closing !== undefined) return
      const boss = await openQueue(name)
      await boss.send(name, { id }, { singletonKey: id })
    },
    async work(name, handler, { concurrency = 2 } = {}) {
      const boss = await openQueue(name)
      for (let count = workerCounts.get(name) ?? 0; count < concurrency; count += 1) {
        await startWorker(boss, name, handler)
        workerCounts.set(name, count + 1)
      }
    },
    close: () => (closing ??= close()),
  }
}

async function startBoss(connectionUri: string, log: Logger): Promise<PgBoss> {
  // Loaded here, because most commands never enqueue anything.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: connectionUri,
    schema: SCHEMA,
    max: CONNECTIONS,
    application_name: 'phlix jobs',
    useListenNotify: true,
    schedule: false,
  })
  // Without a listener the emitter would end the process when the database is unreachable for a moment.
  boss.on('error', (error) => log.warning({ reason: describeError(error) }, 'the job queue reported an error'))
  try {
    return await boss.start()
  } catch (error) {
    // The parts that were started before the failure would keep their timers and connections.
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

async function runHandler(jobs: readonly Job<{ id: string }>[], handler: JobHandler, log: Logger): Promise<void> {
  for (const job of jobs) {
    try {
      await handler(job.data)
    } catch (error) {
      log.error({ queue: job.name, id: job.data.id, err: error }, 'a background job failed')
    }
  }
}
