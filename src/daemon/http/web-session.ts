import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { AppError } from '../../core/platform/errors/index.ts'
import type { Clock } from '../../core/platform/time/index.ts'
import { httpErrors } from '../errors.ts'
import type { App } from './app-types.ts'
import { createOwnPageCheck, type OwnPageOptions } from './own-page.ts'
import { SignedOutReply } from './schemas.ts'
import { expiredWebSessionCookie, readWebSessionCookie, webSessionCookie } from './web-session-cookie.ts'

/** Longer than any token of a server or a hub. */
const MAX_TOKEN_LENGTH = 4096

const AdoptBody = Type.Object({ refresh_token: Type.String({ maxLength: MAX_TOKEN_LENGTH }) })

/** A session after its refresh token was used. */
export type RenewedSession = {
  sessionId: string
  refreshToken: string
  expiresAt: Date
  /** What the page gets: an access token, and who is signed in. */
  reply: object
}

/** A session of a server or a hub; one of a refresh token may have ended. */
export type WebSession = {
  id: string
  end(): Promise<void>
  /** Ends it. @returns the address at which the browser ends the session at the provider too, if this one began there and the provider has one */
  signOut(): Promise<string | null>
}

/** The sessions of a server or a hub. Each function refuses invalid tokens with an AppError of kind `unauthenticated`. */
export type WebSessions = {
  ofRefreshToken(refreshToken: string): Promise<WebSession>
  /** The session of the bearer token, if there is one. */
  ofBearer(headers: NodeJS.Dict<string[]>): Promise<WebSession | undefined>
  /** @param from.presentedIn `adoption`: the tokens of the session are accepted in the cookie only from now on */
  renew(
    refreshToken: string,
    from: { presentedIn: 'cookie' | 'adoption'; clientAddress: string },
  ): Promise<RenewedSession>
}

type Parts = { sessions: WebSessions; clock: Clock; options: OwnPageOptions; replySchema: TSchema }

/** Adds the routes of the web page, whose refresh token is in a cookie. Pages of other origins cannot use them. */
export function addWebSessionRoutes(app: App, { sessions, clock, options, replySchema }: Parts): void {
  const checkPage = createOwnPageCheck(options)
  const route = {
    method: 'POST',
    onRequest: async (request: FastifyRequest): Promise<void> => {
      checkPage(request)
    },
  } as const
  const renewal = { access: 'public', reveals: 'none', surface: 'refresh', carriesSecrets: true } as const

  const cookieOf = (request: FastifyRequest): string | undefined =>
    readWebSessionCookie(request.headers.cookie, checkPage(request))

  const sessionOfCookie = async (request: FastifyRequest): Promise<WebSession | undefined> => {
    const token = cookieOf(request)
    return token === undefined ? undefined : unlessRefused(() => sessions.ofRefreshToken(token))
  }

  function answer(request: FastifyRequest, reply: FastifyReply, renewed: RenewedSession): object {
    const { refreshToken: token, expiresAt } = renewed
    const maxAgeSeconds = Math.floor(expiresAt.getTime() / 1000) - clock.unixSeconds()
    reply.header('set-cookie', webSessionCookie({ token, maxAgeSeconds, page: checkPage(request) }))
    return renewed.reply
  }

  app.route({
    ...route,
    url: '/adopt',
    config: renewal,
    schema: { body: AdoptBody, response: { 200: replySchema } },
    handler: async (request, reply) => {
      const { clientAddress } = request
      const from = { presentedIn: 'adoption', clientAddress } as const
      const adopted = await sessions.renew(request.body.refresh_token, from)
      const former = await sessionOfCookie(request)
      // Nobody could end it any more.
      if (former?.id !== adopted.sessionId) await former?.end()
      return answer(request, reply, adopted)
    },
  })

  app.route({
    ...route,
    url: '/refresh',
    // Each page load takes one: the browsers of a household must not use up the limit of their address.
    config: { ...renewal, countedAs: async (request) => (await sessionOfCookie(request))?.id },
    schema: { response: { 200: replySchema } },
    handler: async (request, reply) => {
      const token = cookieOf(request)
      if (token === undefined) throw httpErrors.auth_required()
      const { clientAddress } = request
      return answer(request, reply, await sessions.renew(token, { presentedIn: 'cookie', clientAddress }))
    },
  })

  app.route({
    ...route,
    url: '/logout',
    config: { access: 'public', reveals: 'none', carriesSecrets: true },
    schema: { response: { 200: SignedOutReply } },
    handler: async (request, reply) => {
      const ofBearer = await unlessRefused(() => sessions.ofBearer(request.raw.headersDistinct))
      const ofCookie = await sessionOfCookie(request)
      // The access token says which session the page has.
      const address = (await (ofBearer ?? ofCookie)?.signOut()) ?? null
      // Another tab has signed in meanwhile: the cookie and the storage of the browser belong to its session.
      const isOther = ofBearer !== undefined && ofCookie !== undefined && ofBearer.id !== ofCookie.id
      if (isOther) return { message: 'Logged out', address }
      reply.headers({
        'set-cookie': expiredWebSessionCookie(checkPage(request)),
        'clear-site-data': '"cache", "storage"',
      })
      return { message: 'Logged out', address }
    },
  })
}

/** Undefined for a token that is not valid (any more). */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unauthenticated') throw error
    return undefined
  }
}
