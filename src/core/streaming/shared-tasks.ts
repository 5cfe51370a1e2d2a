type Task<Result> = {
  outcome: Promise<Result>
  stop: AbortController
  waiters: number
  /** Runs out some time after the last waiter has left. */
  abandonedTimer: NodeJS.Timeout | undefined
}

/**
 * Work that several callers wait for and that is done once. When the last caller has left, the work goes on for a
 * while, since players give up after a few seconds and ask again at once; stopping it there would make a slow machine
 * begin anew for ever.
 */
export class SharedTasks<Result> {
  /** Tasks that can be joined. */
  readonly #open = new Map<string, Task<Result>>()
  /** Those, and the stopped ones that have not ended yet. */
  readonly #running = new Set<Task<Result>>()
  readonly #abandonedMilliseconds: number

  constructor({ abandonedMilliseconds }: { abandonedMilliseconds: number }) {
    this.#abandonedMilliseconds = abandonedMilliseconds
  }

  /** How many different tasks somebody waits for. */
  get wantedCount(): number {
    return [...this.#open.values()].filter((task) => task.waiters > 0).length
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  /**
   * Waits for the task of this key, starting it where there is none. Aborting `signal` leaves; it does not disturb
   * other waiters.
   * @throws what the task throws, or the signal's reason
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    const task = this.#open.get(key) ?? this.#start(key, start)
    clearTimeout(task.abandonedTimer)
    task.waiters += 1
    try {
      return await (signal === undefined ? task.outcome : untilAborted(task.outcome, signal))
    } finally {
      task.waiters -= 1
      if (task.waiters === 0 && this.#running.has(task)) this.#abandon(task)
    }
  }

  /** Stops the tasks that nobody waits for, because others need their place. */
  stopAbandoned(): void {
    for (const task of this.#open.values()) if (task.waiters === 0) task.stop.abort()
  }

  /** Stops every task with `reason`, which their waiters get, and waits until all have ended. */
  async stopAll(reason: Error): Promise<void> {
    for (const task of this.#running) task.stop.abort(reason)
    await Promise.allSettled([...this.#running].map((task) => task.outcome))
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Result>): Task<Result> {
    const stop = new AbortController()
    const task: Task<Result> = { outcome: start(stop.signal), stop, waiters: 0, abandonedTimer: undefined }
    const close = (): void => {
      clearTimeout(task.abandonedTimer)
      if (this.#open.get(key) === task) this.#open.delete(key)
    }
    const end = (): void => {
      close()
      this.#running.delete(task)
    }
    this.#open.set(key, task)
    this.#running.add(task)
    task.outcome.then(end, end)
    // Whoever asks from now on needs a task that will not be stopped.
    stop.signal.addEventListener('abort', close, { once: true })
    return task
  }

  #abandon(task: Task<Result>): void {
    task.abandonedTimer = setTimeout(() => task.stop.abort(), this.#abandonedMilliseconds)
    // It must not keep the process alive.
    task.abandonedTimer.unref()
  }
}

/** The outcome, or the signal's reason if that comes first. */
async function untilAborted<Result>(outcome: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error)
    const stay = (): void => signal.removeEventListener('abort', leave)
    signal.addEventListener('abort', leave, { once: true })
    outcome.then(resolve, reject).finally(stay)
  })
}
