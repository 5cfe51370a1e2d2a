type Slot<Result> = { outcome: Promise<Result>; isSettled: boolean }

/** How many results, in multiples of the concurrency, may wait behind a slow one before nothing new is started. */
const WINDOW = 4

/**
 * Maps a source with several calls at a time and yields the results in the order of the source. After a failure nothing new is
 * started, and nothing is still running when the error comes out.
 */
export async function* mapInOrder<Item, Result>(
  source: AsyncIterable<Item>,
  { concurrency, map }: { concurrency: number; map: (item: Item) => Promise<Result> | Result },
): AsyncGenerator<Result> {
  const slots: Slot<Result>[] = []
  const running = new Set<Promise<void>>()

  function start(item: Item): void {
    const slot: Slot<Result> = { outcome: (async () => map(item))(), isSettled: false }
    const done = settle(slot)
    running.add(done)
    slots.push(slot)
    void done.finally(() => running.delete(done))
  }

  try {
    for await (const item of source) {
      start(item)
      while (running.size >= concurrency) await Promise.race(running)
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
    await Promise.all(running)
  }
}

/** Waits without failing: a failure comes out when its turn comes, and until then must not count as unhandled. */
async function settle<Result>(slot: Slot<Result>): Promise<void> {
  await Promise.allSettled([slot.outcome])
  slot.isSettled = true
}
