import { toIsoTimestamp } from '../../platform/time/index.ts'
import type { HubUser } from '../hub-user.ts'

/** A user of a hub as administrators see it. */
export function hubUserView(user: HubUser) {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    is_admin: user.isAdmin,
    status: user.status,
    created_at: toIsoTimestamp(user.createdAt),
    updated_at: toIsoTimestamp(user.updatedAt),
  }
}
