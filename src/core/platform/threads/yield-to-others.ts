import { constants, setPriority } from 'node:os'

/**
 * Called in a thread that reads disks: whoever waits for an answer of the server goes first. Linux has a priority for each thread;
 * elsewhere it would be that of the process, which stays as it is.
 */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
