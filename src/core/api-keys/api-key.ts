/** What a key may do. Each scope stands alone: none includes another one. */
export const API_KEY_SCOPES = ['read', 'play', 'libraries', 'admin'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/** A key without its text, which is not stored. */
export type ApiKey = {
  /** UUID. */
  id: string
  accountId: string
  username: string
  name: string
  /** The first characters of the key. */
  hint: string
  scopes: readonly ApiKeyScope[]
  createdAt: Date
  /** Null: the key does not expire. */
  expiresAt: Date | null
  /** Exact to a minute. */
  lastUsedAt: Date | null
  lastAddress: string | null
}
