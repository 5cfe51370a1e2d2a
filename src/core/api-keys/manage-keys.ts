import { accountErrors, requireRecentSignIn, validationFailure, type Session } from '../accounts/index.ts'
import { isRowId, type Database } from '../platform/database/index.ts'
import type { EventBus } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { API_KEY_SCOPES, type ApiKey, type ApiKeyScope } from './api-key.ts'
import { apiKeyErrors } from './errors.ts'
import { generateApiKey } from './key-text.ts'
import { deleteKey, insertKey, countKeysWithLock, selectKeys } from './queries.ts'

type Dependencies = { db: Database; clock: Clock }

const MAX_KEYS = 50
const MAX_NAME_LENGTH = 100

/** Scopes whose routes are for administrators. */
const FOR_ADMINISTRATORS: ReadonlySet<ApiKeyScope> = new Set(['libraries', 'admin'])

export type NewApiKey = {
  account: { id: string; isAdmin: boolean }
  /** 1 to 100 characters, without control characters. */
  name: string
  scopes: readonly string[]
  /** Null: never. */
  expiresAt: Date | null
  /** The session of the HTTP request. It must be a recent sign-in, because a key outlives it. */
  session?: Session
}

/**
 * Creates a key.
 * @returns the key without its text, and the text, which is not stored
 * @throws AppError `validation_failed`, `scope_not_permitted`, `too_many_api_keys`, `recent_sign_in_required`, `session_ended`, `full_session_required`,
 * `account_disabled`
 */
export async function createApiKey(
  { db, clock }: Dependencies,
  { account, session, ...input }: NewApiKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const now = clock.now()
  const { name, scopes, expiresAt } = checkedInput(input, now)
  if (scopes.some((scope) => FOR_ADMINISTRATORS.has(scope)) && !account.isAdmin)
    throw apiKeyErrors.scope_not_permitted()
  const { key, hint, digest } = generateApiKey()
  const apiKey = await db.transaction(async (connection) => {
    // The account first, because every transaction locks it before its sessions.
    const count = await countKeysWithLock(connection, account.id)
    if (count === undefined) throw accountErrors.account_disabled()
    if (session !== undefined) await requireRecentSignIn(connection, { session, now })
    if (count >= MAX_KEYS) throw apiKeyErrors.too_many_api_keys({ details: { limit: MAX_KEYS } })
    return insertKey(connection, { accountId: account.id, name, scopes, expiresAt, hint, digest, now })
  })
  return { apiKey, key }
}

/** The keys of an account, or of all, the newest first, at most 1,000. */
export async function listApiKeys(
  { db }: Pick<Dependencies, 'db'>,
  { accountId }: { accountId?: string | undefined },
): Promise<readonly ApiKey[]> {
  return selectKeys(db, accountId)
}

/**
 * Revokes a key: it is refused from the next request on.
 * @param input.accountId only a key of this account
 * @throws AppError `api_key_not_found`
 */
export async function revokeApiKey(
  { db, events }: Pick<Dependencies, 'db'> & { events: Pick<EventBus, 'publish'> },
  { id, accountId }: { id: string; accountId?: string | undefined },
): Promise<void> {
  const owner = isRowId(id) ? await deleteKey(db, { id, accountId }) : undefined
  if (owner === undefined) throw apiKeyErrors.api_key_not_found()
  events.publish('account.changed', { accountId: owner })
}

function checkedInput(input: Pick<NewApiKey, 'name' | 'scopes' | 'expiresAt'>, now: Date) {
  const name = input.name.replaceAll(/\p{C}+/gu, ' ').trim()
  const scopes = API_KEY_SCOPES.filter((scope) => input.scopes.includes(scope))
  const { expiresAt } = input
  const problems: Record<string, string> = {}
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH) problems['name'] = 'must have 1 to 100 characters'
  if (scopes.length === 0 || input.scopes.some((scope) => !isScope(scope))) {
    problems['scopes'] = `must be one or more of ${API_KEY_SCOPES.join(', ')}`
  }
  if (expiresAt !== null && !(expiresAt > now)) problems['expires_at'] = 'must be a time in the future'
  if (Object.keys(problems).length > 0) throw validationFailure(problems)
  return { name, scopes, expiresAt }
}

function isScope(text: string): text is ApiKeyScope {
  return (API_KEY_SCOPES as readonly string[]).includes(text)
}
