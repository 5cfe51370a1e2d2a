export const HUB_USER_STATUSES = ['active', 'disabled'] as const

/** An account of a hub. Never includes the password hash. */
export type HubUser = {
  /** UUID. */
  id: string
  username: string
  email: string
  isAdmin: boolean
  status: (typeof HUB_USER_STATUSES)[number]
  createdAt: Date
  updatedAt: Date
}
