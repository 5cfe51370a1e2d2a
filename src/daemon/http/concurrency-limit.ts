import { httpErrors } from '../errors.ts'

/** One thread makes all answers: more at once make none of them come sooner. */
const MAX_AT_ONCE = 4
const MAX_WAITING = 500
const MAX_WAIT_MILLISECONDS = 20_000

/** Who is answered when, so that each caller has at most some requests under way. */
export type ConcurrencyLimit = {
  /**
   * Waits for a turn of a caller.
   * @param signal the caller has left, and wants no turn any more
   * @returns how to give it back, once
   * @throws AppError `too_many_at_once` when too many wait, or one has waited too long
   */
  take(caller: string, signal: AbortSignal): Promise<() => void>
}

type Line = { running: number; waiting: Set<() => void> }

export function createConcurrencyLimit(): ConcurrencyLimit {
  const lines = new Map<string, Line>()
  const giveBack = (caller: string, line: Line): void => {
    const [next] = line.waiting
    if (next === undefined) {
      line.running -= 1
      if (line.running === 0) lines.delete(caller)
    } else {
      line.waiting.delete(next)
      next()
    }
  }
  return {
    async take(caller, signal) {
      const line = lines.get(caller) ?? { running: 0, waiting: new Set() }
      lines.set(caller, line)
      if (line.running < MAX_AT_ONCE) line.running += 1
      else await waitIn(line, signal)
      return () => giveBack(caller, line)
    },
  }
}

/** The turn of one who has ended goes to the one who waits longest. */
function waitIn({ waiting }: Line, signal: AbortSignal): Promise<void> {
  if (waiting.size >= MAX_WAITING) throw httpErrors.too_many_at_once()
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    }
    const start = (): void => {
      end()
      resolve()
    }
    const leave = (): void => {
      end()
      waiting.delete(start)
      reject(httpErrors.too_many_at_once())
    }
    const timer = setTimeout(leave, MAX_WAIT_MILLISECONDS)
    signal.addEventListener('abort', leave)
    waiting.add(start)
  })
}
