import fastifyJwt from '@fastify/jwt'
import type { SignedInAccount } from '../../core/accounts/index.ts'
import { isHubToken } from '../../core/hub-link/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { createTokenService, type TokenService } from '../http/tokens.ts'

/** Registers the token library, restricted to HS256. http/tokens.ts checks the claims. */
export async function installTokenLibrary(
  app: App,
  { jwtSecret, clock }: Pick<SigningServices, 'jwtSecret' | 'clock'>,
) {
  await app.register(fastifyJwt, {
    secret: jwtSecret,
    sign: { algorithm: 'HS256' },
    // http/tokens.ts compares times with the clock of the services instead of the library's clock.
    verify: { algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true, cache: false },
  })
  const codec = {
    sign: (claims: object) => app.jwt.sign(claims),
    open: (token: string): unknown => app.jwt.verify(token),
  }
  return createTokenService({ codec, clock })
}

/**
 * Returns the token of an `Authorization: Bearer …` header, or undefined without that header. The scheme is case-insensitive and followed
 * by exactly one space. A repeated header is an error.
 * @throws AppError `auth.required` for a header of another form
 */
export function readBearerToken(headers: NodeJS.Dict<string[]>): string | undefined {
  const values = headers['authorization']
  if (values === undefined) return undefined
  const token = /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(values[0] ?? '')?.[1]
  if (token === undefined || values.length > 1) throw httpErrors.auth_required()
  return token
}

type Identification = { services: Pick<SigningServices, 'findSessionAccount' | 'hubLink'>; tokens: TokenService }

/** An account with the session of its token. */
export type AuthenticatedSession = {
  account: SignedInAccount
  sessionId: string
  /** Expiry of the token in Unix seconds. */
  expiresAt: number
}

/**
 * Returns the account and the session of a bearer token, read from the database. Demoting, disabling or deleting a user takes effect with
 * the next request, and so does the end of the session by logout or password reset, and another profile of the session. A token of the hub of this server is accepted too; its
 * user is never an administrator.
 * @param usedFrom address of the client, if this is a use of the session
 * @throws AppError `auth.required`
 */
export async function authenticateBearer(
  { services, tokens }: Identification,
  token: string | undefined,
  usedFrom?: string,
): Promise<AuthenticatedSession> {
  if (token === undefined) throw httpErrors.auth_required()
  if (isHubToken(token)) return identifyMember(services, token)
  const { sub, sid: sessionId, pid = sub, ver: epoch = 0, exp: expiresAt } = tokens.verifyAccess(token)
  const account = await services.findSessionAccount({ sessionId, accountId: sub, epoch, usedFrom })
  if (account?.status !== 'active' || account.profile.id !== pid) throw httpErrors.auth_required()
  return { account, sessionId, expiresAt }
}

async function identifyMember(
  { hubLink }: Pick<SigningServices, 'hubLink'>,
  token: string,
): Promise<AuthenticatedSession> {
  const member = await hubLink.identify(token)
  if (member?.account.status !== 'active') throw httpErrors.auth_required()
  return member
}
