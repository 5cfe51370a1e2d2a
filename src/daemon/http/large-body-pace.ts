import { Semaphore } from '../../core/platform/concurrency/index.ts'

/** Limits how fast large bodies are processed. */
export type LargeBodyPace = {
  /**
   * Waits until this number of bytes may be processed; the first ones do not wait.
   * @param key those with the same key share the pace, for example the id of an account
   */
  waitFor(key: string, bytes: number): Promise<void>
}

/** Creates a pace of this number of bytes a second for each key. */
export function createLargeBodyPace({ bytesPerSecond }: { bytesPerSecond: number }): LargeBodyPace {
  const semaphores = new Map<string, Semaphore>()
  return {
    async waitFor(key, bytes) {
      const semaphore = semaphores.get(key) ?? new Semaphore({ permits: 1 })
      semaphores.set(key, semaphore)
      const release = await semaphore.acquire()
      setTimeout(
        () => {
          release()
          if (semaphore.isIdle) semaphores.delete(key)
        },
        (bytes / bytesPerSecond) * 1000,
      )
    },
  }
}
