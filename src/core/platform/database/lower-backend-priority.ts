import { constants } from 'node:os'
import type { DriverClient } from 'slonik'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { lowerPriority, lowerAutogroupPriority } from '../priorities/index.ts'

/**
 * Lowers the priority of the embedded server's process behind a new connection, so that background work does not delay requests. This needs
 * a process on this machine that this account may change; otherwise the priority is unchanged.
 */
export async function lowerBackendPriority(client: Pick<DriverClient, 'query'>, log: Logger): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const pid = Number(rows[0]?.['pid'])
  try {
    lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    // Each of these processes has its own session and therefore its own autogroup (miscinit.c, InitPostmasterChild).
    lowerAutogroupPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    log.debug({ pid, reason: describeError(error) }, 'a process of the database keeps its priority')
  }
}
