import { describeError } from '../core/platform/errors/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'
import type { Workers } from '../core/workers.ts'
import type { ProcessLock } from '../core/platform/spawn/index.ts'
import type { SigningServices } from '../core/services.ts'
import { httpErrors } from './errors.ts'
import type { App, Lifecycle } from './http/app-types.ts'
import type { StopReason } from './signals.ts'
import type { MetricsServer } from './metrics-port/metrics-server.ts'
import type { SocketServer } from './ws/server.ts'

/** Time limit for responses in progress. JSON responses end much earlier; films do not. */
const DRAIN_MILLISECONDS = 10_000

export type RunningDaemon = {
  app: App
  sockets: Pick<SocketServer, 'close'>
  /** Undefined if no metrics are served. */
  metrics?: Pick<MetricsServer, 'close'> | undefined
  services: Pick<SigningServices, 'close' | 'hubLink' | 'portForwarding' | 'relayLink'>
  workers: Workers
  lifecycle: Lifecycle
  /** Lock of the data directory. */
  lock: Pick<ProcessLock, 'release'>
}

/** Whether the process exits or starts a new run. */
export type ShutdownOutcome = 'stopped' | 'restart'

/**
 * Stops the daemon. If a part of the old run fails to stop, a restart continues: without the new run there would be no server.
 * @throws AppError `crashed` after an uncaught error; the error of the stop, unless a restart follows
 */
export async function shutDownDaemon(
  running: RunningDaemon,
  { reason, log }: { reason: StopReason; log: Logger },
): Promise<ShutdownOutcome> {
  log.notice({ reason: reason.name }, 'the daemon stops')
  try {
    await stopDaemon(running)
    log.notice('the daemon has stopped')
  } catch (error) {
    // A signal may have turned the restart into a stop.
    if (reason.isRestart !== true) throw error
    log.error({ err: error }, 'the daemon did not stop cleanly: the next run starts anyway')
  }
  if (reason.failure !== undefined) throw httpErrors.crashed({ cause: reason.failure })
  return reason.isRestart === true ? 'restart' : 'stopped'
}

/**
 * Stops a daemon in this order: readiness off; no forwarded port, new jobs and connections; WebSockets closed with 1001; requests in progress finish,
 * streams within 10 s; running jobs return to the queue; then encoders, queue, pool, engine lease and the lock of the data directory. Every
 * step runs, even if another one fails.
 * @throws the error of a step; an AggregateError of several
 */
export async function stopDaemon(running: RunningDaemon, drainMilliseconds = DRAIN_MILLISECONDS): Promise<void> {
  const { app, sockets, metrics, services, workers, lifecycle, lock } = running
  lifecycle.isStopping = true
  const first = await Promise.allSettled([
    services.portForwarding.stop(),
    services.hubLink.stop(),
    services.relayLink.stop(),
    workers.stop(),
    sockets.close(),
    closeApp(app, drainMilliseconds),
    metrics?.close(),
  ])
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
