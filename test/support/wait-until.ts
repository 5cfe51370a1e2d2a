import { setTimeout as pause } from 'node:timers/promises'

/** Longer than a machine under full load needs: the bound only ends a wait for something that never comes. */
const LONGEST_MILLISECONDS = 180_000

/**
 * Looks again and again until a condition holds.
 * @throws Error that names what did not come
 */
export async function waitUntil(claim: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${LONGEST_MILLISECONDS / 1000} s: ${claim}`)
    await pause(20)
  }
}
