/** Ends work that makes no progress. */
export type StallTimer = {
  /** Restarts the time limit. */
  progress(): void
  /** Runs work of this process, during which no progress is expected. */
  whileWaiting<Result>(work: () => Promise<Result> | Result): Promise<Result>
  stop(): void
}

/** Starts a timer that calls `onStall` after a time without progress, once. */
export function startStallTimer(milliseconds: number, onStall: () => void): StallTimer {
  let timer: NodeJS.Timeout | undefined = setTimeout(onStall, milliseconds)
  let isStopped = false
  const pause = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    progress: () => void timer?.refresh(),
    async whileWaiting(work) {
      pause()
      try {
        return await work()
      } finally {
        if (!isStopped) timer = setTimeout(onStall, milliseconds)
      }
    },
    stop() {
      isStopped = true
      pause()
    },
  }
}
