/** 19 MiB and one thread of Node's small pool each: more at a time would starve file access (200 logins at once must not: PW-07). */
const CONCURRENT_TURNS = 2

let running = 0
const waiting: (() => void)[] = []

/**
 * Does work that hashes once, when it is its turn; first come, first served. Work that asks for a turn inside its own would wait for
 * itself.
 */
export async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < CONCURRENT_TURNS) running += 1
  // The place of the one that leaves is handed over, so `running` does not change.
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
