import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Account, CallerLocality } from '../../core/accounts/index.ts'
import type { RateLimitSurface } from '../../core/platform/config/index.ts'
import type { RecentLines } from '../../core/platform/logging/index.ts'
import type { SigningServices } from '../../core/services.ts'
import type { Traffic } from '../metrics/traffic.ts'
import type { PageCache } from './page-cache.ts'
import type { Tokens } from './tokens.ts'

/**
 * Who may call a route: anyone; anyone signed in; administrators; whoever is signed in or holds a signed address.
 * A route without one stops the start (decisions 3.3, Route guard).
 */
export type Access = 'public' | 'user' | 'admin' | 'signed'

/** Decoded path parameters of a request. */
export type PathParameters = Readonly<Record<string, string>>

export type DeclaredRoute = { method: string; url: string; access: Access }

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; null on public routes and where a signature was enough. */
    account: Account | null
    /** UUID of the session whose access token was sent; null where `account` is. */
    sessionId: string | null
    /** The address of the caller, of the real one also behind trusted proxies; in its shortest form, without port. */
    readonly clientAddress: string
    /** Where that address is; `remote` as well when an unknown proxy may stand between. */
    readonly clientLocality: CallerLocality
    /** What the error handler answered for, kept for the request's log line. */
    failure: unknown
    /** How long it took until the answer began; null before. */
    answeredAfterMilliseconds: number | null
    /** Lets work in the background go on. */
    /** Says that the answer is made, for the turn of the account. */
    releaseConcurrencySlot?: () => void
    endForegroundRequest: () => void
  }
  interface FastifyInstance {
    /** Every route with who may call it, in order of registration. */
    declaredRoutes: DeclaredRoute[]
    /** Reads the tokens that callers bring. */
    tokens: Tokens
    /** What was carried and answered. */
    traffic: Traffic
  }
  interface FastifyContextConfig {
    access?: Access
    /** What is counted per client address, and refused above the limit with 429 (document 1, Limits). */
    surface?: RateLimitSurface
    /** Whether the route limits itself how many requests it answers at a time, and so takes no turn of the account. */
    hasOwnLimit?: boolean
    /** For `signed` routes: what the signature must have been made for, from the same parameters that the handler opens. */
    signedResource?: (parameters: PathParameters) => string
    /**
     * For `signed` routes whose answer depends on who asks: a bearer beside a good signature is looked at too. Bytes are the same for
     * everybody and asked for in many pieces, so their routes spare the query.
     */
    isPersonal?: boolean
    /** For `admin` routes: the code of document 1's requests API for who is no administrator; `auth.not_admin` unless said. */
    refusal?: 'admin_required'
    /** Asked every few seconds: only failures are logged. */
    isProbe?: boolean
    /** Asked again and again while background work runs, and cheap: background work does not wait for its answer. */
    isStatusPoll?: boolean
    /** Status of errors of kind `invalid` on this route; 400 unless said. */
    invalidStatus?: number
  }
}

/** The Fastify instance of the daemon: schemas give handlers their types. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What every route plugin gets. */
export type RouteContext = {
  services: SigningServices
  tokens: Tokens
  lifecycle: Lifecycle
  /** Answers of lists as text. */
  pages: PageCache
  /** The newest lines of the log. */
  recentLines: RecentLines
}

/** One resource's routes; listed with its prefix in routes/index.ts. */
export type RoutePlugin = (app: App, context: RouteContext) => void

/** Where the routes of one plugin begin, and the plugin. */
export type RouteEntry = readonly [prefix: string, plugin: RoutePlugin]

/** Where the process is in its life; `/readyz` and new requests look at it. */
export type Lifecycle = {
  isStopping: boolean
  /**
   * Ends this run in good order and begins another one. Only the daemon of `serve` can.
   * @throws AppError `restart_refused` when another one could not begin; this one goes on
   */
  restart?: () => void
}
