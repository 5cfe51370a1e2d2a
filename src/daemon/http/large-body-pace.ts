import { Semaphore } from '../../core/platform/concurrency/index.ts'

/**
 * A body of 1 MiB has its account wait for 62 ms before the next one. The values of texts of more than 100 KiB go directly into the old
 * generation of the heap, which only full collections free: at 200 such bodies a second it would be collected all the time.
 */
const BYTES_PER_MILLISECOND = (16 * 1024 * 1024) / 1000

/** Limits how fast the large bodies of an account are parsed. */
export type LargeBodyPace = {
  /** Waits until the account may have another body parsed; the first one does not wait. */
  waitFor(accountId: string, bytes: number): Promise<void>
}

/** Creates a pace of 16 MiB of large bodies a second for each account. */
export function createLargeBodyPace(): LargeBodyPace {
  const semaphores = new Map<string, Semaphore>()
  return {
    async waitFor(accountId, bytes) {
      const semaphore = semaphores.get(accountId) ?? new Semaphore({ permits: 1 })
      semaphores.set(accountId, semaphore)
      const release = await semaphore.acquire()
      setTimeout(() => {
        release()
        if (semaphore.isIdle) semaphores.delete(accountId)
      }, bytes / BYTES_PER_MILLISECOND)
    },
  }
}
