import { constants } from 'node:os'
import type { DriverClient } from 'slonik'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { lowerPriority, lowerAutogroupPriority } from '../priorities/index.ts'

/**
 * Gives the process of the embedded server behind a new connection a lower priority: what works in the background leaves the processor to
 * those who wait for an answer. The process is on this machine, and of this account or below it; where it is not, it stays as it is.
 */
export async function lowerBackendPriority(client: Pick<DriverClient, 'query'>, log: Logger): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid = Number(rows[0]?.['pid'])
  try {
    lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    // Each of these processes has a session of its own (miscinit.c, InitPostmasterChild).
    lowerAutogroupPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    log.debug({ pid, reason: describeError(error) }, 'a process of the database keeps its priority')
  }
}
