import { setTimeout as pause } from 'node:timers/promises'

/** Time limit in milliseconds, more than a fully loaded machine needs. */
const MAX_MILLISECONDS = 180_000

/** The pause between two polls is a tenth of the time waited so far, within these limits: a poll can cost a request or a list of processes. */
const [MIN_PAUSE_MILLISECONDS, MAX_PAUSE_MILLISECONDS] = [10, 100]

/**
 * Polls until a condition is true, less often the longer it waits.
 * @throws Error that names the condition
 */
export async function waitUntil(claim: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await condition())) {
    const waited = performance.now() - start
    if (waited > MAX_MILLISECONDS) throw new Error(`not within ${MAX_MILLISECONDS / 1000} s: ${claim}`)
    await pause(Math.min(MAX_PAUSE_MILLISECONDS, Math.max(MIN_PAUSE_MILLISECONDS, waited / 10)))
  }
}
