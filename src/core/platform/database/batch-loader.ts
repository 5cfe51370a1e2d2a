import { AppError } from '../errors/index.ts'

/** The result of one batch: the values by key. Keys without a value are absent. */
type Found<Key, Value> = ReadonlyMap<Key, Value>

type Round<Key, Value> = { keys: Set<Key>; found: Promise<Found<Key, Value>> }

/**
 * Combines concurrent reads into one. Calls in the same turn of the event loop share a batch; calls that arrive while a batch is running
 * form the next batch. Every value is therefore read after its call. When a batch fails because the database is unavailable, the waiting
 * batch fails as well: its callers have already waited as long as the failed read took.
 * @param read reads the values of some keys; keys without a value are absent from the result
 */
export function createBatchLoader<Key, Value>(
  read: (keys: Key[]) => Promise<Found<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let current: Promise<unknown> | undefined
  let next: Round<Key, Value> | undefined

  const begin = (keys: Set<Key>): Promise<Found<Key, Value>> => {
    const found = read([...keys])
    const mine = found.then(ignore, throwWhenUnavailable)
    current = mine
    const forget = (): void => {
      if (current === mine) current = undefined
    }
    mine.then(forget, forget)
    return found
  }

  const gather = (): Round<Key, Value> => {
    const keys = new Set<Key>()
    const found = (current ?? Promise.resolve()).then(
      () => {
        next = undefined
        return begin(keys)
      },
      (error: unknown) => {
        next = undefined
        throw error
      },
    )
    return { keys, found }
  }

  return async (key) => {
    next ??= gather()
    next.keys.add(key)
    return (await next.found).get(key)
  }
}

/** Errors that concern the keys affect only the batch of these keys. An unavailable database affects the waiting batch too. */
function throwWhenUnavailable(error: unknown): void {
  if (error instanceof AppError && error.kind === 'unavailable') throw error
}

function ignore(): void {
  // The callers of the failed batch receive the error; the next batch starts regardless.
}
