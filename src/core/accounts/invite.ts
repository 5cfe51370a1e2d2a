/** A code that allows one registration. */
export type Invite = {
  /** UUID. */
  id: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  /** The username of the account that was created with it; null if the invite is unused or that account was deleted. */
  usedBy: string | null
}
