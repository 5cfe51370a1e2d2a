import { systemErrorCode } from '../core/platform/errors/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'

/** Why the daemon stops; `failure` when nobody caught an error. */
export type StopReason = { name: string; failure?: Error }

export type SignalWatch = {
  /** Resolves with the first reason to stop. From then on another signal, or a stop that hangs, ends the process at once. */
  stopRequested: Promise<StopReason>
  /** Takes all listeners away again. */
  close(): void
}

/** An orderly stop takes at most this long (decisions 3.2, Stop: within 15 s). */
const STOP_LIMIT_MILLISECONDS = 14_500

/** Writing to a terminal or pipe that is gone; nothing of ours is wrong (F-26). */
const LOST_OUTPUT = new Set(['EPIPE', 'EIO'])

/**
 * SIGTERM and SIGINT ask for an orderly stop, the second one ends at once. A closed terminal (SIGHUP) does not stop a daemon, and
 * SIGUSR1 does not open the debugger. An error that nobody caught ends in an orderly stop too: the state may be wrong from then on.
 */
export function listenToSignals(log: Logger): SignalWatch {
  const { promise: stopRequested, resolve } = Promise.withResolvers<StopReason>()
  let limit: NodeJS.Timeout | undefined

  function ask(reason: StopReason): void {
    limit ??= setTimeout(() => endNow('the stop took too long'), STOP_LIMIT_MILLISECONDS)
    limit.unref()
    resolve(reason)
  }

  function endNow(reason: string): void {
    log.error({ reason }, 'the daemon ends without finishing its work')
    process.exit(1)
  }

  function onStopSignal(name: NodeJS.Signals): void {
    if (limit === undefined) ask({ name })
    else endNow(`${name} while stopping`)
  }

  function onOtherSignal(name: NodeJS.Signals): void {
    log.info({ signal: name }, 'a signal was ignored')
  }

  function onFailure(thrown: unknown): void {
    if (isLostOutput(thrown)) return
    const failure = thrown instanceof Error ? thrown : new Error('something that is no error was thrown')
    log.fatal({ err: failure }, 'an error was caught by nobody')
    ask({ name: 'unexpected error', failure })
  }

  process.on('SIGTERM', onStopSignal).on('SIGINT', onStopSignal).on('SIGHUP', onOtherSignal)
  process.on('SIGUSR1', onOtherSignal).on('uncaughtException', onFailure).on('unhandledRejection', onFailure)

  return {
    stopRequested,
    close() {
      clearTimeout(limit)
      process.off('SIGTERM', onStopSignal).off('SIGINT', onStopSignal).off('SIGHUP', onOtherSignal)
      process.off('SIGUSR1', onOtherSignal).off('uncaughtException', onFailure).off('unhandledRejection', onFailure)
    },
  }
}

function isLostOutput(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || thrown.syscall !== 'write') return false
  return LOST_OUTPUT.has(systemErrorCode(thrown) ?? '')
}
