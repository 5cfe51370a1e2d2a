import type { FindSessionAccount } from '../../accounts/index.ts'
import type { PasswordHashing } from '../../platform/credentials/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'

export type MemberServices = {
  db: Database
  clock: Clock
  log: Logger
  events: Pick<EventBus, 'publish'>
  findSessionAccount: FindSessionAccount
  passwordHashing: PasswordHashing
}
