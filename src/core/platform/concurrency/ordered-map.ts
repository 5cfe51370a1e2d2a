type Slot<Result> = { outcome: Promise<Result>; isSettled: boolean }

/** Maximum number of pending results, in multiples of the concurrency, before no new call is started. */
const WINDOW = 4

/**
 * Maps a source with several concurrent calls and yields the results in source order. After a failure no new call is started, and all
 * calls have ended when the error is thrown.
 */
export async function* orderedMap<Item, Result>(
  source: AsyncIterable<Item>,
  { concurrency, map }: { concurrency: number; map: (item: Item) => Promise<Result> | Result },
): AsyncGenerator<Result> {
  const slots: Slot<Result>[] = []
  let running = 0
  let hasFailed = false
  let wake = (): void => {}
  // Not Promise.race: each race would attach another handler to every running promise.
  const nextCompletion = (): Promise<void> => new Promise((resolve) => (wake = resolve))

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
      // The error is thrown after the preceding results.
      if (hasFailed) break
      void start(item)
      while (running >= concurrency) await nextCompletion()
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
    while (running > 0) await nextCompletion()
  }
}

/**
 * Waits without rejecting, because the rejection is only consumed in source order and must not count as unhandled until then.
 * @returns whether the call succeeded
 */
async function settle<Result>(slot: Slot<Result>): Promise<boolean> {
  const [{ status }] = await Promise.allSettled([slot.outcome])
  slot.isSettled = true
  return status === 'fulfilled'
}
