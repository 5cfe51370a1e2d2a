import { systemErrorCode } from '../core/platform/errors/index.ts'
import { replaceProcess } from '../core/platform/spawn/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'

/** The reason of the stop. `failure` is an uncaught error. `isRestart` means that a new run follows. */
export type StopReason = { name: string; failure?: Error; isRestart?: boolean }

export type SignalWatch = {
  /** Resolves with the first reason to stop. After that, another signal or the time limit ends the process immediately. */
  stopRequested: Promise<StopReason>
  /** Requests an orderly stop, like a signal. Without effect if a stop is in progress. */
  requestStop(reason: StopReason): void
  /** Removes all listeners. */
  close(): void
}

/** Time limit of an orderly stop in milliseconds, so that it always ends within 15 s. */
const STOP_LIMIT_MILLISECONDS = 14_500

/** For tests: the time limit of a stop, and the function that starts the next run. */
type StopLimit = { limitMilliseconds?: number; replace?: () => void }

/** Error codes of output to a closed terminal or pipe. They are not errors of the server. */
const CLOSED_OUTPUT_CODES = new Set(['EPIPE', 'EIO'])

/**
 * Handles signals. SIGTERM and SIGINT request an orderly stop; a second signal ends the process immediately. SIGHUP (closed terminal) does
 * not stop the daemon, and SIGUSR1 does not open the debugger. A signal during a restart turns it into a stop. If the stop of a restart
 * exceeds its time limit, the new run starts anyway. An uncaught error ends in an orderly stop too, because the state may be inconsistent.
 */
export function listenToSignals(
  log: Logger,
  { limitMilliseconds = STOP_LIMIT_MILLISECONDS, replace = replaceProcess }: StopLimit = {},
): SignalWatch {
  const { promise: stopRequested, resolve } = Promise.withResolvers<StopReason>()
  let limit: NodeJS.Timeout | undefined
  let stopReason: StopReason | undefined

  function requestStop(reason: StopReason): void {
    if (stopReason !== undefined) return
    stopReason = reason
    limit = setTimeout(onLimit, limitMilliseconds).unref()
    resolve(reason)
  }

  function onLimit(): void {
    if (stopReason?.isRestart !== true) return endNow('the stop took too long')
    log.error('the stop took too long: the next run starts anyway')
    replace()
  }

  function endNow(reason: string): void {
    log.error({ reason }, 'the daemon exits without finishing its work')
    process.exit(1)
  }

  function onStopSignal(name: NodeJS.Signals): void {
    if (stopReason === undefined) requestStop({ name })
    else if (stopReason.isRestart === true) {
      stopReason.isRestart = false
      log.notice({ signal: name }, 'the server stops instead of restarting')
    } else endNow(`${name} while stopping`)
  }

  function onOtherSignal(name: NodeJS.Signals): void {
    log.info({ signal: name }, 'a signal was ignored')
  }

  function onFailure(thrown: unknown): void {
    if (isClosedOutputError(thrown)) return
    const failure = thrown instanceof Error ? thrown : new Error('a value that is not an Error was thrown')
    log.fatal({ err: failure }, 'uncaught error')
    requestStop({ name: 'unexpected error', failure })
  }

  process.on('SIGTERM', onStopSignal).on('SIGINT', onStopSignal).on('SIGHUP', onOtherSignal)
  process.on('SIGUSR1', onOtherSignal).on('uncaughtException', onFailure).on('unhandledRejection', onFailure)

  return {
    stopRequested,
    requestStop,
    close() {
      clearTimeout(limit)
      process.off('SIGTERM', onStopSignal).off('SIGINT', onStopSignal).off('SIGHUP', onOtherSignal)
      process.off('SIGUSR1', onOtherSignal).off('uncaughtException', onFailure).off('unhandledRejection', onFailure)
    },
  }
}

function isClosedOutputError(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || thrown.syscall !== 'write') return false
  return CLOSED_OUTPUT_CODES.has(systemErrorCode(thrown) ?? '')
}
