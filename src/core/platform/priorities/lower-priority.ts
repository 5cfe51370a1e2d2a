import { getPriority, setPriority } from 'node:os'

/**
 * Gives a thread or process a lower priority, a higher number. One that has a lower one already, because the whole process was started with `nice`,
 * keeps it: raising it is only root's right.
 * @param number as the kernel counts threads and processes; 0 is the one that asks
 */
export function lowerPriority(number: number, priority: number): void {
  if (getPriority(number) < priority) setPriority(number, priority)
}
