/**
 * Reads a source ahead of its consumer, at most `limit` items, so that a fast producer is not held up by a slow consumer and yet
 * cannot fill the memory. An error of the source is thrown after the items before it.
 */
export async function* prefetch<Item>(source: AsyncIterable<Item>, limit: number): AsyncGenerator<Item> {
  const items: Item[] = []
  let ending: { error?: unknown } | undefined
  let isAbandoned = false
  let wakeProducer = (): void => {}
  let wakeConsumer = (): void => {}

  async function produce(): Promise<void> {
    try {
      for await (const item of source) {
        items.push(item)
        wakeConsumer()
        while (items.length >= limit && !isAbandoned) await new Promise<void>((resolve) => (wakeProducer = resolve))
        if (isAbandoned) return
      }
      ending = {}
    } catch (error) {
      ending = { error }
    } finally {
      wakeConsumer()
    }
  }

  const producer = produce()
  try {
    // Taken in blocks: shift() of a long array copies it.
    for (;;) {
      const block = items.splice(0)
      wakeProducer()
      yield* block
      if (items.length > 0) continue
      if (ending !== undefined) break
      await new Promise<void>((resolve) => (wakeConsumer = resolve))
    }
    if ('error' in ending) throw ending.error
  } finally {
    isAbandoned = true
    wakeProducer()
    await producer
  }
}
