import { startPeriodicTask } from '../platform/concurrency/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { downloadFiles, removeDownloadFiles } from './download-files.ts'
import type { Download } from './download.ts'
import { downloadErrors } from './errors.ts'
import { makeDownload, type MakeDownloadServices } from './make-download.ts'
import { markDownloadFailing, selectNextDownload, updateDownload } from './queries.ts'
import { sweepDownloads } from './sweep-downloads.ts'

/** After a failure that may pass, the next attempt is made after this time at the latest. */
const RETRY_MILLISECONDS = 60_000
const SWEEP_MILLISECONDS = 3_600_000
const MAX_FAILING_MILLISECONDS = 86_400_000

type Services = MakeDownloadServices & { events: Pick<EventBus, 'subscribe'>; log: Logger; clock: Clock }

/**
 * Makes the requested downloads, one after the other, including those that the end of a process has interrupted.
 * @returns stops; what was begun goes on at the next start
 */
export function startDownloadWorker(services: Services): { stop(): Promise<void> } {
  const { events, log } = services
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isWanted = false

  function wake(): void {
    isWanted = true
    running ??= work().finally(() => {
      running = undefined
    })
  }

  async function work(): Promise<void> {
    try {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false
        await makeAll(services, stopping.signal)
      }
    } catch (error) {
      if (!stopping.signal.aborted) log.warning({ reason: describeError(error) }, 'making downloads failed')
    }
  }

  const unsubscribe = events.subscribe('download.requested', wake)
  const onError = (error: unknown): void => log.warning({ reason: describeError(error) }, 'removing downloads failed')
  const retries = startPeriodicTask({
    intervalMilliseconds: RETRY_MILLISECONDS,
    startsAtOnce: true,
    work: async () => wake(),
    onError,
  })
  const sweeps = startPeriodicTask({
    intervalMilliseconds: SWEEP_MILLISECONDS,
    startsAtOnce: true,
    work: async () => void (await sweepDownloads(services)),
    onError,
  })
  return {
    async stop() {
      unsubscribe()
      stopping.abort()
      await Promise.all([retries.stop(), sweeps.stop()])
      await running
    },
  }
}

async function makeAll(services: Services, signal: AbortSignal): Promise<void> {
  // A download that cannot be made now does not hold up those behind it.
  const postponed: string[] = []
  for (;;) {
    const next = await selectNextDownload(services.db, postponed)
    if (next === undefined || signal.aborted) return
    try {
      await makeDownload(services, next, signal)
      services.log.info({ itemId: next.itemId, quality: next.quality }, 'made a download')
    } catch (error) {
      if (signal.aborted) return
      if (!(await endFailed(services, next, error))) postponed.push(next.id)
    }
  }
}

/** @returns false if a later attempt may succeed */
async function endFailed(services: Services, download: Download, error: unknown): Promise<boolean> {
  const { db, log, config } = services
  const { id, sourceStamp, itemId, quality, percent } = download
  // A download of a film that has changed is made again at the next request.
  const isTemporary = error instanceof AppError && (error.kind === 'busy' || error.kind === 'unavailable')
  log.warning({ itemId, quality, isTemporary, reason: describeError(error) }, 'a download was not made')
  if (isTemporary && !(await isGivenUp(services, download))) return false
  const failure = error instanceof AppError ? error.code : downloadErrors.download_failed.definition.code
  await updateDownload(db, { id, sourceStamp, status: 'failed', percent, sizeBytes: null, failure })
  // Also what was made for one that was cancelled meanwhile.
  await removeDownloadFiles(downloadFiles(config, id))
  return true
}

/** After a day of attempts that fail: the segments so far take space that others need. */
async function isGivenUp({ db, clock }: Services, { id }: Download): Promise<boolean> {
  const now = clock.now()
  const since = await markDownloadFailing(db, { id, now })
  return since === undefined || now.getTime() - since.getTime() > MAX_FAILING_MILLISECONDS
}
