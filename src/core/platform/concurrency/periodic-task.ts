export type PeriodicTaskInput = {
  intervalMilliseconds: number
  /** Whether the first run starts at once instead of after one interval. */
  startsAtOnce?: boolean
  /** @param signal aborts when the task is stopped */
  work: (signal: AbortSignal) => Promise<void>
  /** Called with the error of a failed run, unless the task has been stopped. The task continues. */
  onError: (error: unknown) => void
}

export type PeriodicTask = {
  /** Aborts the current run and resolves when it has ended. */
  stop(): Promise<void>
}

/** Runs work at a fixed interval. Runs never overlap: one that is due while another is active is skipped. */
export function startPeriodicTask({
  intervalMilliseconds,
  startsAtOnce = false,
  work,
  onError,
}: PeriodicTaskInput): PeriodicTask {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) onError(error)
    }
  }
  const start = (): void => {
    running ??= run().finally(() => (running = undefined))
  }
  if (startsAtOnce) start()
  const timer = setInterval(start, intervalMilliseconds)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
