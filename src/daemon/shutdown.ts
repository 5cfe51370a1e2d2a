import { describeError } from '../core/platform/errors/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'
import type { Workers } from '../core/workers.ts'
import type { ProcessLock } from '../core/platform/spawn/index.ts'
import type { Services } from '../core/services.ts'
import { httpErrors } from './errors.ts'
import type { App, Lifecycle } from './http/app-types.ts'
import type { StopReason } from './signals.ts'
import type { SocketServer } from './ws/server.ts'

/** How long replies that are under way may go on: JSON is done long before, films are not. */
const DRAIN_MILLISECONDS = 10_000

export type Running = {
  app: App
  sockets: Pick<SocketServer, 'close'>
  services: Services
  workers: Workers
  lifecycle: Lifecycle
  /** Of the data directory. */
  lock: Pick<ProcessLock, 'release'>
}

/** Whether the process is to end or to begin another run. */
export type DaemonEnd = 'stopped' | 'restart'

/**
 * Stops a daemon for a reason. A restart goes on when a part of the old run fails to stop: without the next run there would be no server.
 * @throws AppError `crashed` after an uncaught error; what failed while stopping, unless a restart follows
 */
export async function endDaemon(
  running: Running,
  { reason, log }: { reason: StopReason; log: Logger },
): Promise<DaemonEnd> {
  log.notice({ reason: reason.name }, 'the daemon stops')
  try {
    await stopDaemon(running)
    log.notice('the daemon has stopped')
  } catch (error) {
    // A signal may have made a stop of it meanwhile.
    if (reason.isRestart !== true) throw error
    log.error({ err: error }, 'the daemon did not stop in good order: the next run begins all the same')
  }
  if (reason.failure !== undefined) throw httpErrors.crashed({ cause: reason.failure })
  return reason.isRestart === true ? 'restart' : 'stopped'
}

/**
 * Stops a daemon, in this order (decisions 3.2, Stop): not ready any more; no new jobs and connections; WebSockets are closed with
 * 1001; requests under way finish, streams for 10 s at most; running jobs go back to the queue; then encoders, queue, pool and engine
 * lease, and the lock of the data directory. Each step is done, whatever of the others fails.
 * @throws the failure of a step; an AggregateError of several
 */
export async function stopDaemon(running: Running, drainMilliseconds = DRAIN_MILLISECONDS): Promise<void> {
  const { app, sockets, services, workers, lifecycle, lock } = running
  lifecycle.isStopping = true
  const first = await Promise.allSettled([workers.stop(), sockets.close(), closeApp(app, drainMilliseconds)])
  const last = await Promise.allSettled([services.close()])
  lock.release()
  const failures = [...first, ...last].flatMap((step) => (step.status === 'rejected' ? [step.reason as unknown] : []))
  if (failures.length > 1) throw new AggregateError(failures, failures.map(describeError).join('; '))
  if (failures.length === 1) throw failures[0]
}

async function closeApp(app: App, drainMilliseconds: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMilliseconds)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
