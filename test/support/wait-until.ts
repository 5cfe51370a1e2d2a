import { setTimeout as pause } from 'node:timers/promises'

/** Time limit in milliseconds, more than a fully loaded machine needs. */
const MAX_MILLISECONDS = 180_000

/**
 * Polls until a condition is true.
 * @throws Error that names the condition
 */
export async function waitUntil(claim: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${MAX_MILLISECONDS / 1000} s: ${claim}`)
    await pause(20)
  }
}
