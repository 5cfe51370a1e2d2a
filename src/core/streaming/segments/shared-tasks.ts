import { untilAborted } from '../../platform/concurrency/index.ts'

type Task<Result> = {
  outcome: Promise<Result>
  stop: AbortController
  waiters: number
  /** Expires some time after the last waiting caller has left. */
  abandonedTimer: NodeJS.Timeout | undefined
}

/**
 * Deduplicates work: several callers wait for one task. When the last caller has left, the task continues for a while, because players
 * abandon a request after a few seconds and repeat it at once. Stopping immediately would make a slow machine restart the task forever.
 */
export class SharedTasks<Result> {
  /** Tasks that new callers can join. */
  readonly #open = new Map<string, Task<Result>>()
  /** The open tasks, and the stopped tasks that have not ended yet. */
  readonly #running = new Set<Task<Result>>()
  readonly #abandonedMilliseconds: number

  constructor({ abandonedMilliseconds }: { abandonedMilliseconds: number }) {
    this.#abandonedMilliseconds = abandonedMilliseconds
  }

  /** The number of tasks with waiting callers. */
  get wantedCount(): number {
    return [...this.#open.values()].filter((task) => task.waiters > 0).length
  }

  has(key: string): boolean {
    return this.#open.has(key)
  }

  /**
   * Waits for the task of this key and starts it if there is none. Aborting `signal` stops waiting and does not affect other callers.
   * @throws the error of the task, or the signal's reason
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    const task = this.#open.get(key) ?? this.#start(key, start)
    clearTimeout(task.abandonedTimer)
    task.waiters += 1
    try {
      return await untilAborted(task.outcome, signal)
    } finally {
      task.waiters -= 1
      if (task.waiters === 0 && this.#running.has(task)) this.#abandon(task)
    }
  }

  /** Stops the tasks without waiting callers, to free their slots. */
  stopAbandoned(): void {
    for (const task of this.#open.values()) if (task.waiters === 0) task.stop.abort()
  }

  /** Stops every task with `reason`, which waiting callers get, and waits until all have ended. */
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
    // New callers need a task that is not being stopped.
    stop.signal.addEventListener('abort', close, { once: true })
    return task
  }

  #abandon(task: Task<Result>): void {
    task.abandonedTimer = setTimeout(() => task.stop.abort(), this.#abandonedMilliseconds)
    // The timer must not keep the process alive.
    task.abandonedTimer.unref()
  }
}
