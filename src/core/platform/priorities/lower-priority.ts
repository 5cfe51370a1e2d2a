import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of a thread or process, which means a higher number. A lower priority, for example from starting the process with
 * `nice`, is kept: only root may raise it.
 * @param number id of the thread or process; 0 is the caller
 */
export function lowerPriority(number: number, priority: number): void {
  if (getPriority(number) < priority) setPriority(number, priority)
}
