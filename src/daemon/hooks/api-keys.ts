import type { FastifyRequest } from 'fastify'
import type { SignedInAccount } from '../../core/accounts/index.ts'
import type { ApiKeyScope } from '../../core/api-keys/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { httpErrors } from '../errors.ts'
import { findKeyRule } from '../http/key-scopes.ts'

/** Keys begin with this; access tokens are never of this form. */
const BEARER_KEY = /^bearer (phlix_\w+)$/i

/**
 * The API key of a request: in `X-Api-Key`, or as bearer token. Never in the query, which is written into logs. Undefined without one.
 * @throws AppError `auth.required` for a repeated header, and for a key beside another credential
 */
export function readApiKeyHeader(headers: NodeJS.Dict<string[]>): string | undefined {
  const [own = [], bearer = []] = [headers['x-api-key'], headers['authorization']]
  const bearerKey = BEARER_KEY.exec(bearer[0] ?? '')?.[1]
  if (own.length === 0 && bearerKey === undefined) return undefined
  if (own.length > 0 && bearer.length > 0) {
    throw httpErrors.auth_required({ message: 'Send one credential: Authorization or X-Api-Key, not both' })
  }
  if (own.length + bearer.length > 1) throw httpErrors.auth_required({ message: 'A header was sent twice' })
  return bearerKey ?? own[0]
}

/**
 * The owner of a key, who may use this route with it. The owner counts as administrator only if the key has the scope `admin`, or the route
 * is one of the scope `libraries`: otherwise a key for reading would see what only administrators see.
 * @throws AppError `auth.required`, `rate_limited`, `key_not_allowed`, `key_scope_missing`
 */
export async function authenticateApiKey(
  { keyAccounts }: Pick<SigningServices, 'keyAccounts'>,
  { key, request }: { key: string; request: FastifyRequest },
): Promise<{ account: SignedInAccount; keyId: string }> {
  const found = await keyAccounts.use({ key, usedFrom: request.clientAddress })
  if (found === undefined) throw httpErrors.auth_required()
  const { account, apiKey } = found
  const { url = '' } = request.routeOptions
  const rule = findKeyRule({ method: request.method, url })
  if (rule === undefined || rule === 'people') throw httpErrors.key_not_allowed()
  requireScope(apiKey.scopes, rule)
  const isAdmin = account.isAdmin && (apiKey.scopes.includes('admin') || rule === 'libraries')
  return { account: { ...account, isAdmin }, keyId: apiKey.id }
}

function requireScope(scopes: readonly ApiKeyScope[], scope: ApiKeyScope): void {
  if (!scopes.includes(scope)) throw httpErrors.key_scope_missing({ details: { scope } })
}
