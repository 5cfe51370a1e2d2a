import { AppError } from '../errors/index.ts'

/** The result of one batch: the values by key. Keys without a value are absent. */
type Values<Key, Value> = ReadonlyMap<Key, Value>

type Batch<Key, Value> = { keys: Set<Key>; values: Promise<Values<Key, Value>> }

/**
 * Combines concurrent reads into one. Calls in the same turn of the event loop share a batch; calls that arrive while a batch is running
 * form the next batch. Every value is therefore read after its call. When a batch fails because the database is unavailable, the waiting
 * batch fails as well: its callers have already waited as long as the failed read took.
 * @param read reads the values of some keys; keys without a value are absent from the result
 */
export function createBatchLoader<Key, Value>(
  read: (keys: Key[]) => Promise<Values<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let current: Promise<unknown> | undefined
  let next: Batch<Key, Value> | undefined

  const startBatch = (keys: Set<Key>): Promise<Values<Key, Value>> => {
    const values = read([...keys])
    const settled = values.then(ignore, throwWhenUnavailable)
    current = settled
    const clearCurrent = (): void => {
      if (current === settled) current = undefined
    }
    settled.then(clearCurrent, clearCurrent)
    return values
  }

  const createBatch = (): Batch<Key, Value> => {
    const keys = new Set<Key>()
    const values = (current ?? Promise.resolve()).then(
      () => {
        next = undefined
        return startBatch(keys)
      },
      (error: unknown) => {
        next = undefined
        throw error
      },
    )
    return { keys, values }
  }

  return async (key) => {
    next ??= createBatch()
    next.keys.add(key)
    return (await next.values).get(key)
  }
}

/** Errors that concern the keys affect only the batch of these keys. An unavailable database affects the waiting batch too. */
function throwWhenUnavailable(error: unknown): void {
  if (error instanceof AppError && error.kind === 'unavailable') throw error
}

function ignore(): void {
  // The callers of the failed batch receive the error; the next batch starts regardless.
}
