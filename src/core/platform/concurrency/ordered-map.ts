type Slot<Result> = { outcome: Promise<Result>; isSettled: boolean }

/** How many results, in multiples of the concurrency, may wait behind a slow one before nothing new is started. */
const WINDOW = 4

/**
 * Maps a source with several calls at a time and yields the results in the order of the source. After a failure nothing new is
 * started, and nothing is still running when the error comes out.
 */
export async function* orderedMap<Item, Result>(
  source: AsyncIterable<Item>,
  { concurrency, map }: { concurrency: number; map: (item: Item) => Promise<Result> | Result },
): AsyncGenerator<Result> {
  const slots: Slot<Result>[] = []
  let running = 0
  let hasFailed = false
  let wake = (): void => {}
  // Not a race between the running ones: each race would hang something on every one of them.
  const oneMoreIsDone = (): Promise<void> => new Promise((resolve) => (wake = resolve))

  async function start(item: Item): Promise<void> {
    const slot: Slot<Result> = { outcome: (async () => map(item))(), isSettled: false }
    running += 1
    slots.push(slot)
    if (!(await settle(slot))) hasFailed = true
    running -= 1
    wake()
  }

  try {
    for await (const item of source) {
      // The failure comes out after the results before it.
      if (hasFailed) break
      void start(item)
      while (running >= concurrency) await oneMoreIsDone()
      for (
        let next = slots[0];
        next !== undefined && (next.isSettled || slots.length >= WINDOW * concurrency);
        next = slots[0]
      ) {
        slots.shift()
        yield await next.outcome
      }
    }
    for (const slot of slots) yield await slot.outcome
  } finally {
    while (running > 0) await oneMoreIsDone()
  }
}

/**
 * Waits without failing: a failure comes out when its turn comes, and until then must not count as unhandled.
 * @returns whether it succeeded
 */
async function settle<Result>(slot: Slot<Result>): Promise<boolean> {
  const [{ status }] = await Promise.allSettled([slot.outcome])
  slot.isSettled = true
  return status === 'fulfilled'
}
