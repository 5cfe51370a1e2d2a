import { processEnvironment, readSystemdNotifyTarget, type Environment } from '../core/platform/config/index.ts'
import { startPeriodicTask } from '../core/platform/concurrency/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'
import { runTool } from '../core/platform/spawn/index.ts'

/** Reports the state of the daemon to the program that started it. Without such a program nothing is sent. No method rejects. */
export type SystemdReports = {
  /** The daemon listens. @param status a line for `systemctl status` */
  ready(status: string): Promise<void>
  /** The daemon stops by itself or after a signal. */
  stopping(): Promise<void>
  /** The process continues and is ready again later. */
  restarting(): Promise<void>
  /** Ends the reports of the watchdog. */
  close(): void
}

/** A start is given this much time more, three times per period, for as long as the event loop turns. */
const EXTENSION_SECONDS = 60

/** Part of systemd. Node cannot open datagram Unix sockets, which the protocol needs. */
const PROGRAM = 'systemd-notify'
const TIMEOUT_SECONDS = 10
const IGNORED: SystemdReports = {
  ready: async () => {},
  stopping: async () => {},
  restarting: async () => {},
  close: () => {},
}

/**
 * Starts the reports of the watchdog, twice per period: an event loop that does not turn sends none, and systemd restarts the service. The
 * database is not part of the check, because a restart of this process does not mend it. A restart replaces the program in the same process
 * and is no stop for systemd, which would otherwise kill the next run. Until the daemon is ready, it also requests more time: migrations of
 * a large database may take longer than the limits of the unit, and a signal to stop waits for their end.
 */
export function connectSystemd({
  log,
  environment = processEnvironment(),
  extensionSeconds = EXTENSION_SECONDS,
}: {
  log: Logger
  environment?: Environment
  extensionSeconds?: number
}): SystemdReports {
  const contact = readSystemdNotifyTarget(environment)
  if (contact === undefined) return IGNORED
  let hasFailed = false
  async function send(...messages: string[]): Promise<void> {
    const { outcome, exitCode, stderrTail } = await runTool({
      program: PROGRAM,
      arguments: messages,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: { NOTIFY_SOCKET: contact?.notifySocket ?? '' },
    })
    if (exitCode === 0 || hasFailed) return
    hasFailed = true
    log.warning({ outcome, exitCode, stderr: stderrTail.trim() }, `${PROGRAM} could not report the state of the server`)
  }
  const extension = startPeriodicTask({
    intervalMilliseconds: (extensionSeconds * 1000) / 3,
    keepsProcessAlive: false,
    work: () => send(`EXTEND_TIMEOUT_USEC=${extensionSeconds * 1_000_000}`),
    onError: () => {},
  })
  const { watchdogSeconds } = contact
  const watchdog =
    watchdogSeconds === undefined
      ? undefined
      : startPeriodicTask({
          intervalMilliseconds: (watchdogSeconds * 1000) / 2,
          startsAtOnce: true,
          keepsProcessAlive: false,
          work: () => send('WATCHDOG=1'),
          onError: () => {},
        })
  return {
    async ready(status) {
      await extension.stop()
      await send('READY=1', `STATUS=${status}`)
    },
    stopping: () => send('STOPPING=1', 'STATUS=Stopping'),
    restarting: () => send('STATUS=Restarting'),
    close() {
      void extension.stop()
      void watchdog?.stop()
    },
  }
}
