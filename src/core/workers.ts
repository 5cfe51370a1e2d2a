import { setTimeout as pause } from 'node:timers/promises'
import { deleteUnusedAccess } from './access/index.ts'
import { startTrickplaySweeps } from './analysis/index.ts'
import { watchBackups } from './backups/index.ts'
import { keepDaemonLock } from './daemon-lock.ts'
import { startDownloadWorker } from './downloads/index.ts'
import { listLibraries } from './libraries/index.ts'
import { recoverMaintenanceJobs, runMaintenanceJob, watchReleases } from './maintenance/index.ts'
import { deleteExpiredSignIns } from './oidc/index.ts'
import { startDeliveryDispatch } from './outbox/index.ts'
import { sendNotification } from './notifications/index.ts'
import { Semaphore, startPeriodicTask } from './platform/concurrency/index.ts'
import { toDatabaseError, databaseErrors } from './platform/database/index.ts'
import { AppError, describeError, systemErrorCode } from './platform/errors/index.ts'
import { watchPluginUpdates } from './plugins/index.ts'
import { watchStalePlays } from './playback/index.ts'
import { deleteExpiredDeviceCodes } from './quick-connect/index.ts'
import { pollImportedRequests } from './requests/index.ts'
import {
  createScanThread,
  queueTranscodedTrickplay,
  queueConfiguredAnalysis,
  recoverScanJobs,
  runScanJob,
  scanErrors,
  type ScanThread,
} from './scanning/index.ts'
import { sendScrobble } from './scrobbling/index.ts'
import type { Services } from './services.ts'
import { sendWebhook } from './webhooks/index.ts'
import { startStorageSnapshots } from './statistics/index.ts'
import { startLoudnessMeasurement, startStreamSweeps, scheduleEncoderSelfTest } from './streaming/index.ts'

const RECOVERY_INTERVAL_MILLISECONDS = 15_000
const RETRY_MILLISECONDS = 1000
/** How often films that were transcoded completely are looked for. */
const TRANSCODED_PICTURES_INTERVAL_MILLISECONDS = 60_000

/** How often codes of sign-ins that were not completed are deleted. */
const EXPIRED_SIGN_INS_INTERVAL_MILLISECONDS = 600_000
/** How often unused limits are deleted. */
const UNUSED_ACCESS_INTERVAL_MILLISECONDS = 600_000

export type Workers = {
  /** Stops taking jobs, aborts the running jobs (they are queued again) and releases the daemon lock. */
  stop(): Promise<void>
}

/** Only a daemon scans in a separate thread, because a command serves no requests. */
type WorkerServices = Services & { scanThread: ScanThread; isPlayerWaiting: () => boolean }

/** Maps job names to use cases. Only this module connects them, because domains of the same layer do not call each other. */
async function registerHandlers(services: WorkerServices, stopping: AbortSignal): Promise<void> {
  const run = async ({ id }: { id: string }): Promise<void> => {
    try {
      await runScanJob(services, { scanJobId: id, whenAborted: 'requeue', queuesAfterwards: true }, stopping)
    } catch (error) {
      // A queue entry can outlive the job of a deleted library.
      const isGone = error instanceof AppError && error.code === scanErrors.scan_job_not_found.definition.code
      if (!isGone) throw error
    }
  }
  await services.jobs.work('library.scan', run)
  // One analysis at a time. It has lower priority than all other work and uses only free processors.
  const analyses = new Semaphore({ permits: 1 })
  // The queue forgets a job after a day and hands out the next one; an analysis may take longer.
  const runAlone = (payload: { id: string }): Promise<void> => analyses.run(() => run(payload), stopping)
  await services.jobs.work('library.analysis', runAlone, { concurrency: 1 })
  // Before the handler: afterwards a running job would belong to this server.
  await recoverMaintenanceJobs(services)
  await services.jobs.work('maintenance', ({ id }) => runMaintenanceJob(services, id), { concurrency: 1 })
}

/** Queues the analyses that the options of libraries require and that no daemon has queued yet, for example after a scan by a command. */
async function queueMissedAnalyses(services: Services): Promise<void> {
  try {
    for (const { id } of await listLibraries(services)) await queueConfiguredAnalysis(services, id)
  } catch (error) {
    services.log.warning({ reason: describeError(error) }, 'queueing missed analyses failed')
  }
}

/** Whether a later attempt can succeed: the database is unreachable, or no descriptor is free. */
function isTemporary(error: unknown): boolean {
  const reason = toDatabaseError(error)
  if (reason instanceof AppError) return reason.code === databaseErrors.database_unavailable.definition.code
  return ['EMFILE', 'ENFILE'].includes(systemErrorCode(error) ?? '')
}

/**
 * Registers the handlers and queues missed analyses. After a temporary failure it is retried in the background, because the daemon already
 * serves requests and can be stopped.
 * @returns stops the attempts
 * @throws the error of the first attempt, unless it is temporary
 */
async function startTakingJobs(services: WorkerServices, stopping: AbortSignal): Promise<{ stop(): Promise<void> }> {
  const attempt = async (): Promise<boolean> => {
    try {
      await registerHandlers(services, stopping)
    } catch (error) {
      if (!isTemporary(error)) throw error
      services.log.warning({ reason: describeError(error) }, 'taking jobs failed')
      return false
    }
    await queueMissedAnalyses(services)
    return true
  }
  if (await attempt()) return { stop: () => Promise.resolve() }
  const ended = new AbortController()
  const retrying = (async () => {
    do {
      await pause(RETRY_MILLISECONDS, undefined, { signal: ended.signal })
    } while (!(await attempt()))
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) services.log.fatal({ err: error }, 'jobs cannot be taken until the next start')
  })
  return {
    async stop() {
      ended.abort()
      await retrying
    },
  }
}

/**
 * Starts the background work of this process: takes the daemon lock, queues jobs of dead workers again (at once and every 15 s), and
 * takes jobs. A failed start stops the parts that were started before it.
 */
export async function startWorkers(services: Services): Promise<Workers> {
  const stopping = new AbortController()
  // Stops in reverse order. Each part is stopped, even if the stop of another part fails.
  await using started = new AsyncDisposableStack()
  const daemonLock = await keepDaemonLock(services)
  started.defer(() => daemonLock.release())
  const recover = async (): Promise<void> => {
    const count = await recoverScanJobs(services)
    if (count > 0) services.log.notice({ count }, 'queued interrupted scan jobs again')
  }
  const logFailedRecovery = (error: unknown): void =>
    services.log.warning({ reason: describeError(error) }, 'looking for abandoned scan jobs failed')
  await recover().catch(logFailedRecovery)
  const scanThread = createScanThread(services)
  started.defer(() => scanThread.close())
  started.defer(() => services.jobs.close())
  const isPlayerWaiting = (): boolean => services.segments.counts.wanted > 0
  const stopLater = (task: { stop(): Promise<void> }): void => started.defer(() => task.stop())
  stopLater(await startTakingJobs({ ...services, scanThread, isPlayerWaiting }, stopping.signal))
  stopLater(scheduleEncoderSelfTest(services))
  stopLater(startLoudnessMeasurement(services))
  stopLater(startStreamSweeps(services))
  stopLater(startTrickplaySweeps(services))
  stopLater(startDownloadWorker(services))
  stopLater(startStorageSnapshots(services))
  stopLater(watchBackups(services))
  stopLater(pollImportedRequests(services))
  stopLater(watchStalePlays(services))
  services.plugins.start()
  stopLater(services.plugins)
  stopLater(watchPluginUpdates(services))
  stopLater(watchReleases(services))
  stopLater(
    startDeliveryDispatch(services, {
      webhook: (delivery, signal) => sendWebhook(services, delivery, signal),
      channel: (delivery, signal) => sendNotification(services, delivery, signal),
      scrobbler: (delivery, signal) => sendScrobble(services, delivery, signal),
    }),
  )
  stopLater(
    startPeriodicTask({
      intervalMilliseconds: RECOVERY_INTERVAL_MILLISECONDS,
      work: recover,
      onError: logFailedRecovery,
    }),
  )
  stopLater(
    startPeriodicTask({
      intervalMilliseconds: TRANSCODED_PICTURES_INTERVAL_MILLISECONDS,
      work: async () => void (await queueTranscodedTrickplay(services)),
      onError: (error) => services.log.warning({ reason: describeError(error) }, 'queueing pictures of films failed'),
    }),
  )
  stopLater(
    startPeriodicTask({
      intervalMilliseconds: EXPIRED_SIGN_INS_INTERVAL_MILLISECONDS,
      startsAtOnce: true,
      work: async () => {
        await deleteExpiredSignIns(services)
        await deleteExpiredDeviceCodes(services)
      },
      onError: (error) => services.log.warning({ reason: describeError(error) }, 'deleting expired sign-ins failed'),
    }),
  )
  stopLater(
    startPeriodicTask({
      intervalMilliseconds: UNUSED_ACCESS_INTERVAL_MILLISECONDS,
      startsAtOnce: true,
      work: async () => void (await deleteUnusedAccess(services)),
      onError: (error) => services.log.warning({ reason: describeError(error) }, 'deleting unused limits failed'),
    }),
  )
  started.defer(() => stopping.abort())
  const owned = started.move()
  return { stop: () => owned.disposeAsync() }
}
