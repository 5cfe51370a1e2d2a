import type { AccessRule } from '../access/index.ts'

/** An invite: its code permits registrations. */
export type Invite = {
  /** UUID. */
  id: string
  createdAt: Date
  expiresAt: Date
  /** What the invited accounts may see. */
  access: AccessRule
  maxUses: number
  uses: number
  /** The last use. */
  usedAt: Date | null
  /** The accounts that were created with it and still exist, the first one first. */
  usernames: readonly string[]
}

/** An invite as it is stored. */
export type StoredInvite = Omit<Invite, 'access'> & { policyId: number | null }
