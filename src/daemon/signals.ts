import { systemErrorCode } from '../core/platform/errors/index.ts'
import { replaceProcess } from '../core/platform/spawn/index.ts'
import type { Logger } from '../core/platform/logging/index.ts'

/** Why the daemon stops; `failure` when an error was not caught, `isRestart` when another run is to follow. */
export type StopReason = { name: string; failure?: Error; isRestart?: boolean }

export type SignalWatch = {
  /** Resolves with the first reason to stop. From then on another signal, or a stop that hangs, ends the process at once. */
  stopRequested: Promise<StopReason>
  /** Asks for an orderly stop as a signal does; without effect while one is under way. */
  requestStop(reason: StopReason): void
  /** Takes all listeners away again. */
  close(): void
}

/** An orderly stop takes at most this long (decisions 3.2, Stop: within 15 s). */
const STOP_LIMIT_MILLISECONDS = 14_500

/** For tests: how long a stop may take, and what begins the next run. */
type StopLimit = { limitMilliseconds?: number; replace?: () => void }

/** Writing to a terminal or pipe that is gone; nothing of ours is wrong (F-26). */
const LOST_OUTPUT = new Set(['EPIPE', 'EIO'])

/**
 * SIGTERM and SIGINT ask for an orderly stop, the second one ends at once. A closed terminal (SIGHUP) does not stop a daemon, and
 * SIGUSR1 does not open the debugger. A signal during the stop of a restart makes it a stop; a stop of a restart that hangs is cut off by
 * the next run. An uncaught error ends in an orderly stop too: the state may be wrong from then on.
 */
export function listenToSignals(
  log: Logger,
  { limitMilliseconds = STOP_LIMIT_MILLISECONDS, replace = replaceProcess }: StopLimit = {},
): SignalWatch {
  const { promise: stopRequested, resolve } = Promise.withResolvers<StopReason>()
  let limit: NodeJS.Timeout | undefined
  let asked: StopReason | undefined

  function ask(reason: StopReason): void {
    if (asked !== undefined) return
    asked = reason
    limit = setTimeout(onLimit, limitMilliseconds).unref()
    resolve(reason)
  }

  function onLimit(): void {
    if (asked?.isRestart !== true) return endNow('the stop took too long')
    log.error('the stop took too long: the next run begins without its end')
    replace()
  }

  function endNow(reason: string): void {
    log.error({ reason }, 'the daemon ends without finishing its work')
    process.exit(1)
  }

  function onStopSignal(name: NodeJS.Signals): void {
    if (asked === undefined) ask({ name })
    else if (asked.isRestart === true) {
      asked.isRestart = false
      log.notice({ signal: name }, 'the restart becomes a stop')
    } else endNow(`${name} while stopping`)
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
    requestStop: ask,
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
