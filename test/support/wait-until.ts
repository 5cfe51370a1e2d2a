import { setTimeout as pause } from 'node:timers/promises'

/** Longer than a machine under full load needs: the bound only ends a wait for something that never comes. */
const MAX_MILLISECONDS = 180_000

/**
 * Looks again and again until a condition holds.
 * @throws Error that names what did not come
 */
export async function waitUntil(claim: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${MAX_MILLISECONDS / 1000} s: ${claim}`)
    await pause(20)
  }
}
