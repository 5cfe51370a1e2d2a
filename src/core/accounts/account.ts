import { buildMainProfile, type SessionProfile } from '../profiles/index.ts'

/** Only an active account may sign in. A pending account waits for an administrator's approval. */
export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/**
 * The account of a request or a connection, with the profile in use. `isAdmin` and `policyId` are what applies in this profile: a restricted
 * profile has no administrator rights.
 */
export type SignedInAccount = Account & {
  profile: SessionProfile
  /** Increases when the session changes its profile; earlier access tokens are then refused. 0 without a session. */
  epoch: number
}

/** The account of a credential that has no session, such as an API key: it acts as the main profile. */
export function asMainProfile(account: Account): SignedInAccount {
  return { ...account, profile: buildMainProfile(account), epoch: 0 }
}

/** A user account. Never includes the password hash. */
export type Account = {
  /** UUID. */
  id: string
  email: string
  username: string
  displayName: string | null
  avatarUrl: string | null
  isAdmin: boolean
  status: AccountStatus
  /** The access policy; null: the account is not limited. */
  policyId: number | null
  /** Whether an administrator permits downloads; a profile of the account may be permitted less. */
  mayDownload: boolean
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
}
