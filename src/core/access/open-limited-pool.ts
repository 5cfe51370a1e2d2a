import type { Config } from '../platform/config/index.ts'
import { openPool, type Database } from '../platform/database/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { AccessPolicy } from './policy.ts'
import { viewsStatement } from './queries/visible-tables.ts'

/** The dependencies of a connection of a policy. */
export type LimitedPoolNeeds = { config: Config; log: Logger; connectionUri: string }

/**
 * Opens a pool of one connection that sees only what a policy allows. Temporary views have the names of the tables and take precedence over
 * them, so that the limit applies to every statement. A connection that could not be prepared runs no statement.
 */
export function openLimitedPool(
  { config, log, connectionUri }: LimitedPoolNeeds,
  policy: AccessPolicy,
): Promise<Database> {
  return openPool({ config, log, connectionUri, maxPoolSize: 1, connectionStatement: viewsStatement(policy) })
}
