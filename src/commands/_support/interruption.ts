import { InterruptedError } from './errors.ts'

export type Interruption = {
  /** Aborts at the first SIGINT or SIGTERM with an InterruptedError as its reason. */
  signal: AbortSignal
  /** The result of the work, or a rejection at the first signal: for work that cannot be cancelled. */
  orStop<T>(work: Promise<T>): Promise<T>
  /** Restores Node's default signal handling, which ends the process. */
  dispose(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The first signal requests an orderly end, the second ends the process immediately. Both exit with 128 + signal number. */
export function listenForSignals(): Interruption {
  const controller = new AbortController()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const onSignal = (name: NodeJS.Signals): void => {
    const reason = new InterruptedError(name === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
    if (controller.signal.aborted) process.exit(reason.exit)
    controller.abort(reason)
    stopped.reject(reason)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    signal: controller.signal,
    orStop: (work) => Promise.race([work, stopped.promise]),
    dispose() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
