import { accessErrors } from '../../access/index.ts'
import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Account } from '../account.ts'
import { setAdministrator } from '../administer-account.ts'
import { accountErrors } from '../errors.ts'

type Dependencies = {
  config: Config
  db: Database
  clock: Clock
  log: Logger
  events?: Pick<EventBus, 'publish'>
}

/** Processes without plugins and WebSockets. */
const NO_EVENTS: Pick<EventBus, 'publish'> = Object.freeze({ publish: () => undefined })

/** Why the rights stay as they are, by the code of the error. */
const KEPT_RIGHTS: ReadonlyMap<string, string> = new Map([
  [
    accountErrors.last_administrator.definition.code,
    'the last administrator keeps its rights, although its groups do not give them',
  ],
  [
    accountErrors.rescue_account_needed.definition.code,
    'the rescue account keeps its rights while local sign-in is off, although its groups do not give them',
  ],
  [
    accessErrors.administrator_not_limited.definition.code,
    'an account with limited access does not become an administrator, although its groups give the rights',
  ],
])

/**
 * Grants or revokes administrator rights as the provider requires. The last administrator and a needed rescue account keep them: otherwise nobody
 * could correct a wrong configuration. An account with limited access does not get them: its limits are a decision of an administrator of this server.
 */
export async function applyAdminRight(
  { log, events = NO_EVENTS, ...needs }: Dependencies,
  account: Account,
  isAdmin: boolean | undefined,
): Promise<Account> {
  if (isAdmin === undefined || isAdmin === account.isAdmin) return account
  try {
    return (await setAdministrator({ ...needs, events }, { accountId: account.id, isAdmin })).account
  } catch (error) {
    const reason = error instanceof AppError ? KEPT_RIGHTS.get(error.code) : undefined
    if (reason === undefined) throw error
    log.warning({ accountId: account.id }, reason)
    return account
  }
}
