import { constants } from 'node:os'
import { sql, type Interceptor } from 'slonik'
import { z } from 'zod'
import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { lowerPriority } from '../threads/index.ts'

const Process = z.strictObject({ pid: z.int().positive() })

/**
 * Gives each connection's process of the embedded server a lower priority, once: what works in the background leaves the processor to
 * those who wait for an answer. The process is on this machine, and of this account or below it; where it is not, it stays as it is.
 */
export function stepBack(log: Logger): Interceptor {
  const known = new Set<string>()
  return {
    name: 'step back',
    async afterPoolConnection({ connectionId }, connection) {
      if (known.has(connectionId)) return null
      known.add(connectionId)
      const { pid } = await connection.one(sql.type(Process)`select pg_backend_pid() as pid`)
      try {
        lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
      } catch (error) {
        log.debug({ pid, reason: describeError(error) }, 'a process of the database keeps its priority')
      }
      return null
    },
  }
}
