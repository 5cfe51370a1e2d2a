export type PeriodicTaskInput = {
  intervalMilliseconds: number
  /** Whether the first run starts at once instead of after one interval. */
  startsAtOnce?: boolean
  /** Whether the process stays alive until the task is stopped. Default: true. */
  keepsProcessAlive?: boolean
  /** @param signal aborts when the task is stopped */
  work: (signal: AbortSignal) => Promise<void>
  /** Called with the error of a failed run, unless the task has been stopped. The task continues. */
  onError: (error: unknown) => void
}

export type PeriodicTask = {
  /** Runs the work now, or joins the run that is active. Never rejects. */
  run(): Promise<void>
  /** Aborts the current run and resolves when it has ended. */
  stop(): Promise<void>
}

/** Runs work at a fixed interval. Runs never overlap: a run that is due while another is active is skipped. */
export function startPeriodicTask({
  intervalMilliseconds,
  startsAtOnce = false,
  keepsProcessAlive = true,
  work,
  onError,
}: PeriodicTaskInput): PeriodicTask {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const runOnce = async (): Promise<void> => {
    try {
      await work(stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) onError(error)
    }
  }
  const run = (): Promise<void> => (running ??= runOnce().finally(() => (running = undefined)))
  if (startsAtOnce) void run()
  const timer = setInterval(() => void run(), intervalMilliseconds)
  if (!keepsProcessAlive) timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
