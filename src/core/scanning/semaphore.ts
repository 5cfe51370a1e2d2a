/** Lets so many through at a time; the others wait in the order of their arrival. */
export type Semaphore = { pass<Result>(work: () => Promise<Result>): Promise<Result> }

export function createSemaphore(places: number): Semaphore {
  let free = places
  const waiting: (() => void)[] = []
  return {
    async pass(work) {
      if (free > 0) free -= 1
      // The place of the one that leaves is handed over, so `free` does not change.
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}
