import type { Config } from '../platform/config/index.ts'
import { openPool, type Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { AccessPolicy } from './policy.ts'
import { viewsStatement } from './queries/visible-tables.ts'

/** Connections of one policy. Idle ones are closed after a minute. */
const MAX_CONNECTIONS = 4

/**
 * Opens a pool whose connections see only what a policy allows: temporary views have the names of the tables and come before them, so that no
 * statement can forget it. A connection that could not be prepared runs no statement.
 */
export function openLimitedPool(
  { config, log, connectionUri }: { config: Config; log: Logger; connectionUri: string },
  policy: AccessPolicy,
): Promise<Database> {
  const maxPoolSize = Math.min(MAX_CONNECTIONS, config.options['database.pool_size'])
  return openPool({ config, log, connectionUri, maxPoolSize, connectionStatement: viewsStatement(policy) })
}
