/** Only an active account may sign in. A pending account waits for an administrator's approval. */
export const ACCOUNT_STATUSES = ['active', 'pending', 'disabled'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

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
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
}
