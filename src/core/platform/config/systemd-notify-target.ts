import type { Environment } from './environment.ts'

/** How the program that started this process wants to hear about its state: the protocol of sd_notify(3). */
export type SystemdNotifyTarget = {
  /** Address of a datagram Unix socket: a path, or `@` and an abstract name. */
  notifySocket: string
  /** This process must report within each period of this length. Undefined: no watchdog. */
  watchdogSeconds: number | undefined
}

/**
 * Reads the variables that systemd sets for a service of `Type=notify` (sd_notify(3), sd_watchdog_enabled(3)).
 * @returns undefined if no service manager waits for messages
 */
export function readSystemdNotifyTarget(
  environment: Environment,
  processId = process.pid,
): SystemdNotifyTarget | undefined {
  const notifySocket = environment['NOTIFY_SOCKET'] ?? ''
  if (!/^[/@]/.test(notifySocket)) return undefined
  const microseconds = Number(environment['WATCHDOG_USEC'] ?? '')
  const watched = environment['WATCHDOG_PID'] ?? String(processId)
  const isWatched = Number.isSafeInteger(microseconds) && microseconds > 0 && watched === String(processId)
  return { notifySocket, watchdogSeconds: isWatched ? microseconds / 1_000_000 : undefined }
}
