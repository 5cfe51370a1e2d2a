import { Interrupted } from './errors.ts'

export type Interruption = {
  /** Aborts at the first SIGINT or SIGTERM; its reason is an Interrupted. */
  signal: AbortSignal
  /** The work's result, or a rejection as soon as a signal comes: for work that cannot stop by itself. */
  orStop<T>(work: Promise<T>): Promise<T>
  /** Gives the signals back to Node's default: the process dies. */
  dispose(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * The first signal asks the work to end in good order, the second ends the process at once (cli.md 2.7). Both exit with
 * 128 + signal number.
 */
export function listenForSignals(): Interruption {
  const controller = new AbortController()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const onSignal = (name: NodeJS.Signals): void => {
    const reason = new Interrupted(name === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
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
