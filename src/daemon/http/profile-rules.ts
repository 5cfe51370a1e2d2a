import { findKeyRule } from './key-scopes.ts'

/**
 * What a restricted profile (for a child, or with limits of its own) may do of what needs a person. Everything else with the rule `people` in
 * key-scopes.ts is refused: it concerns what protects the account, and could be a way out of the limits.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'POST /api/v1/auth/oidc/logout',
  // The only way out, which requires a PIN or the password.
  'POST /api/v1/profiles/:id/pin/verify',
  'POST /api/v1/profiles/:id/switch',
  // A group shows only what all of its members may see.
  'GET /api/v1/syncplay/groups',
  'POST /api/v1/syncplay/groups',
  'GET /api/v1/syncplay/groups/:id',
  'POST /api/v1/syncplay/groups/:id/join',
  'POST /api/v1/syncplay/groups/:id/leave',
])

/** What a restricted profile may not do although an API key for reading or playing may: it belongs to the account, or to all accounts. */
const REFUSED: ReadonlySet<string> = new Set([
  'POST /api/v1/collections',
  'DELETE /api/v1/collections/:id',
  'PUT /api/v1/collections/:id',
  'POST /api/v1/collections/:id/bulk-add',
  'DELETE /api/v1/collections/:id/items/:itemId',
  'POST /api/v1/collections/:id/items/:itemId',
  'POST /api/v1/collections/:id/refresh',
  'POST /api/v1/playlists',
  'POST /api/v1/playlists/:id/items',
  'POST /api/v1/smart-playlists',
  'DELETE /api/v1/smart-playlists/:id',
  'PUT /api/v1/smart-playlists/:id',
  // Titles that another profile of the account has requested may be hidden in this profile.
  'GET /api/v1/me/requests',
  'POST /api/v1/me/requests',
  'GET /api/v1/me/requests/:id',
  'DELETE /api/v1/me/requests/:id',
  // The names of the account at other services.
  'GET /api/v1/me/scrobblers',
])

/** Whether a route is refused in restricted profiles. `HEAD` follows `GET`. Routes of administrators are refused as to everybody else. */
export function isRefusedInRestrictedProfile({ method, url }: { method: string; url: string }): boolean {
  const name = `${method === 'HEAD' ? 'GET' : method} ${url}`
  return findKeyRule({ method, url }) === 'people' ? !ALLOWED.has(name) : REFUSED.has(name)
}

/**
 * Checks that each listed route exists.
 * @throws Error with the routes that do not
 */
export function requireProfileRules(declared: readonly { method: string; url: string }[]): void {
  const names = new Set(declared.map(({ method, url }) => `${method} ${url}`))
  const superfluous = [...ALLOWED, ...REFUSED].filter((name) => !names.has(name))
  if (superfluous.length > 0) throw new Error(`http/profile-rules.ts lists unknown routes: ${superfluous.join(', ')}`)
}
