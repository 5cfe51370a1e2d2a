import fastifyJwt from '@fastify/jwt'
import { findSessionAccount, type Account } from '../../core/accounts/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { httpErrors } from '../errors.ts'
import type { App } from '../http/app-types.ts'
import { createTokens, type Tokens } from '../http/tokens.ts'

/** Registers the token library, restricted to HS256, and wraps it; claims are judged in http/tokens.ts. */
export async function installTokens(app: App, { jwtSecret, clock }: Pick<SigningServices, 'jwtSecret' | 'clock'>) {
  await app.register(fastifyJwt, {
    secret: jwtSecret,
    sign: { algorithm: 'HS256' },
    // Times are compared with the services' clock, not with the library's.
    verify: { algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true, cache: false },
  })
  const codec = {
    sign: (claims: object) => app.jwt.sign(claims),
    open: (token: string): unknown => app.jwt.verify(token),
  }
  return createTokens({ codec, clock })
}

/**
 * The token of an `Authorization: Bearer …` header, or undefined when there is no such header. The scheme is read without regard
 * to case, exactly one space follows it, and a second header spoils the first (JWT-09).
 * @throws AppError `auth.required` for a header of another form
 */
export function bearerTokenOf(headers: NodeJS.Dict<string[]>): string | undefined {
  const values = headers['authorization']
  if (values === undefined) return undefined
  const token = /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(values[0] ?? '')?.[1]
  if (token === undefined || values.length > 1) throw httpErrors.auth_required()
  return token
}

type Identification = { services: Pick<SigningServices, 'db'>; tokens: Tokens }

/** An account with the session that its token belongs to. */
export type Identity = {
  account: Account
  sessionId: string
  /** When the token ends, in Unix seconds. */
  expiresAt: number
}

/**
 * The account and the session behind a bearer token, read from the database: a demoted, disabled or deleted user loses the right
 * with the next request, and a token whose session has ended (logout, password reset) is not good for another one.
 * @throws AppError `auth.required`
 */
export async function identify({ services, tokens }: Identification, token: string | undefined): Promise<Identity> {
  if (token === undefined) throw httpErrors.auth_required()
  const { sub, sid: sessionId, exp: expiresAt } = tokens.readAccess(token)
  const account = await findSessionAccount(services, { sessionId, accountId: sub })
  if (account?.status !== 'active') throw httpErrors.auth_required()
  return { account, sessionId, expiresAt }
}
