import { AppError } from '../errors/index.ts'

/** What came of one round of reading: for each key that something was found for, what. */
type Found<Key, Value> = ReadonlyMap<Key, Value>

type Round<Key, Value> = { keys: Set<Key>; found: Promise<Found<Key, Value>> }

/**
 * One read for many who ask at the same time: those who ask in the same turn of the event loop, and while a read is under way those who
 * gather for the next one, so that what anybody gets was read after he had asked.
 * A read that fails because the database does not answer fails for those who gather, too: they have waited as long as it.
 * @param read reads what belongs to some keys; without an entry for what is not there
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

/** An error of the keys is for those who asked for them; a database that does not answer is for all who wait. */
function throwWhenUnavailable(error: unknown): void {
  if (error instanceof AppError && error.kind === 'unavailable') throw error
}

function ignore(): void {
  // Those who wait for the round that failed are told; the next round begins all the same.
}
