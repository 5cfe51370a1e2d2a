import type { FastifyRequest } from 'fastify'
import { accountErrors } from '../../core/accounts/index.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import { profileErrors } from '../../core/profiles/index.ts'
import { parseGrantOfSignature, parsePolicyOfSignature } from '../../core/platform/keys/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { shareErrors } from '../../core/shares/index.ts'
import { httpErrors } from '../errors.ts'
import type { RouteAccess, App, PathParameters } from '../http/app-types.ts'
import { isRefusedInRestrictedProfile } from '../http/profile-rules.ts'
import { isDownloadRequest } from '../http/is-download-request.ts'
import type { TokenService } from '../http/tokens.ts'
import { readApiKeyHeader, authenticateApiKey } from './api-keys.ts'
import { readBearerToken, authenticateBearer } from './authentication.ts'
import { parseGuestRequest } from './guest-requests.ts'

type GuardContext = {
  services: Pick<
    SigningServices,
    'addressGrants' | 'findSessionAccount' | 'guests' | 'hubLink' | 'keyAccounts' | 'signer' | 'viewers'
  >
  tokens: TokenService
}

const ACCESS_CHECKS = {
  public: async () => {},
  user: requireUser,
  admin: requireAdmin,
  signed: requireSignatureOrUser,
  guest: requireGuest,
} satisfies Record<RouteAccess, (context: GuardContext, request: FastifyRequest) => Promise<void>>

/**
 * Enforces the access level of each route. Registering a route without an access level, or without saying whether it reveals items, throws,
 * so that the daemon does not start. The check runs before the body is read, so that unauthorised clients cannot cause parsing.
 */
export function installAccessGuards(app: App, context: GuardContext): void {
  app.decorateRequest('account', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('policyId', null)
  app.decorateRequest('apiKey', null)
  app.decorateRequest('grant', null)
  app.decorateRequest('guest', null)
  app.decorate('declaredRoutes', [])
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access
    if (access === undefined || !Object.hasOwn(ACCESS_CHECKS, access)) {
      throw new Error(`${String(method)} ${url} does not declare config.access`)
    }
    const reveals = config?.reveals
    if (reveals !== 'items' && reveals !== 'none') {
      throw new Error(`${String(method)} ${url} does not declare config.reveals`)
    }
    if (access === 'signed' && config?.signedResource === undefined) {
      throw new Error(`${String(method)} ${url} is signed but does not declare config.signedResource`)
    }
    if (access === 'guest' && config?.guestTarget === undefined) {
      throw new Error(`${String(method)} ${url} is for guests but does not declare config.guestTarget`)
    }
    app.declaredRoutes.push(...[method].flat().map((word) => ({ method: word, url, access, reveals })))
  })
  app.addHook('onRequest', async (request) => {
    // Only the not-found handler has no access level. It reveals nothing.
    const { access } = request.routeOptions.config
    if (access !== undefined) await ACCESS_CHECKS[access](context, request)
    await requireDownloads(context, request)
  })
}

/**
 * A signed address was given to somebody who was allowed to save files then: the present permission of the profile counts.
 * @throws AppError `download_not_permitted`; `share_file_not_offered` for guests
 */
async function requireDownloads({ services }: GuardContext, request: FastifyRequest): Promise<void> {
  const { grant, guest } = request
  if (!isDownloadRequest(request)) return
  if (guest !== null) {
    if (!guest.allowsDownload) throw shareErrors.share_file_not_offered()
    return
  }
  const holder = grant === null ? undefined : await services.addressGrants.holderOf(grant)
  if (holder?.mayDownload !== true) throw accountErrors.download_not_permitted()
}

async function requireUser(context: GuardContext, request: FastifyRequest): Promise<void> {
  await identifyUser(context, request)
  checkProfile(request)
}

/** What the profile in use does not permit. */
function checkProfile({ account, method, routeOptions: { url = '' } }: FastifyRequest): void {
  if (account === null) return
  const { isRestricted } = account.profile
  if (isRestricted && isRefusedInRestrictedProfile({ method, url })) throw profileErrors.restricted()
}

async function identifyUser(context: GuardContext, request: FastifyRequest): Promise<void> {
  const key = readApiKeyHeader(request.raw.headersDistinct)
  if (key !== undefined) {
    const { account, keyId } = await authenticateApiKey(context.services, { key, request })
    request.account = account
    request.apiKey = key
    request.grant = { kind: 'k', id: keyId }
    request.policyId = account.policyId
    return
  }
  const token = readBearerToken(request.raw.headersDistinct)
  const { account, sessionId } = await authenticateBearer(context, token, request.clientAddress)
  request.account = account
  request.sessionId = sessionId
  request.grant = { kind: 's', id: sessionId }
  request.policyId = account.policyId
}

async function requireAdmin(context: GuardContext, request: FastifyRequest): Promise<void> {
  await requireUser(context, request)
  if (request.account?.isAdmin !== true) throw httpErrors[request.routeOptions.config.refusal ?? 'not_admin']()
}

/**
 * The target of a guest's request must be part of the link. The profile that made the link decides what can be seen, as it may see now;
 * credentials of accounts are not read.
 */
async function requireGuest({ services }: GuardContext, request: FastifyRequest): Promise<void> {
  const guest = await services.guests.admit(parseGuestRequest(request))
  request.guest = guest
  request.policyId = guest.policyId
}

/** A valid signature is sufficient; otherwise the bearer token decides. */
async function requireSignatureOrUser(context: GuardContext, request: FastifyRequest): Promise<void> {
  const { exp, sig } = request.query as Record<string, unknown>
  if (exp === undefined && sig === undefined) return requireUser(context, request)
  const { signedResource, isPersonal } = request.routeOptions.config
  const verdict = context.services.signer.verify(signedResource?.(request.params as PathParameters) ?? '', exp, sig)
  const hasBearer = request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined
  if (verdict === 'valid') {
    request.policyId = parsePolicyOfSignature(sig)
    request.grant = parseGrantOfSignature(sig)
    await (request.grant === null ? checkPolicyInUse(context, request) : checkGrant(context, request))
    return hasBearer && isPersonal === true ? recognizeUser(context, request) : undefined
  }
  if (hasBearer) return requireUser(context, request)
  throw verdict === 'expired' ? httpErrors.signature_expired() : httpErrors.signature_invalid()
}

/** An address of media ends with the session or the key for which it was made, and with the limit that its account had. */
async function checkGrant({ services }: GuardContext, { grant, policyId }: FastifyRequest): Promise<void> {
  const holder = grant === null ? undefined : await services.addressGrants.holderOf(grant)
  if (holder?.policyId !== policyId) throw httpErrors.signature_invalid()
}

/** The URL of a picture for a limited account expires when no account has its limit any longer. */
async function checkPolicyInUse({ services }: GuardContext, { policyId }: FastifyRequest): Promise<void> {
  if (policyId !== null && !(await services.viewers.isInUse(policyId))) throw httpErrors.signature_invalid()
}

/** An invalid bearer token beside a valid signature is ignored, because players resend expired tokens. */
async function recognizeUser(context: GuardContext, request: FastifyRequest): Promise<void> {
  try {
    await requireUser(context, request)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== httpErrors.auth_required.definition.code) throw error
  }
}
