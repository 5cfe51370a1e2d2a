import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { CallerLocality, SignedInAccount } from '../../core/accounts/index.ts'
import type { RateLimitSurface } from '../../core/platform/config/index.ts'
import type { AddressGrant } from '../../core/platform/keys/index.ts'
import type { RecentLines } from '../../core/platform/logging/index.ts'
import type { SigningServices } from '../../core/services.ts'
import type { Guest, GuestTarget } from '../../core/shares/index.ts'
import type { StreamNeeds, PlaybackLimits } from '../../core/playback-limits/index.ts'
import type { Traffic } from '../metrics/traffic.ts'
import type { ChunkBuffers } from './chunk-buffers.ts'
import type { ListReplyCache } from './list-reply-cache.ts'
import type { TokenService } from './tokens.ts'
import type { WebPages } from './web-pages.ts'

/**
 * Access level of a route: `public` for everyone, `user` for signed-in users, `admin` for administrators, `signed` for signed-in users and
 * holders of a signed URL, `guest` for browsers that have opened a share link. A route without an access level fails the start.
 */
export type RouteAccess = 'public' | 'user' | 'admin' | 'signed' | 'guest'

/**
 * Whether the replies of a route say anything about items: titles, pictures, counts, ids, or whether one exists. Limited accounts are
 * answered from the services of their access policy then. A route that does not declare it fails the start.
 */
export type RevealedData = 'items' | 'none'

/** Decoded path parameters of a request. */
export type PathParameters = Readonly<Record<string, string>>

/** Reads what a stream needs; undefined for what is sent beside one. */
export type ReadNeeds = () => Promise<StreamNeeds | undefined>

export type DeclaredRoute = { method: string; url: string; access: RouteAccess; reveals: RevealedData }

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in account with its profile; null on public routes and for requests that are authorised by a signature alone. */
    account: SignedInAccount | null
    /** UUID of the session of the access token; null when `account` is null, and for requests with an API key. */
    sessionId: string | null
    /** The access policy of the profile, or of the address that was signed for it; null: nothing is hidden. */
    policyId: number | null
    /** The API key of the request; null for requests with an access token. */
    apiKey: string | null
    /** The session or the API key of the request, also of its signed address; null for public routes and addresses of pictures. */
    grant: AddressGrant | null
    /** Who has opened a share link; null on all routes that are not for guests. */
    guest: Guest | null
    /** The bandwidth that the other streams of the account and the profile leave, in kbit/s; null: no limit, or the route plays nothing. */
    maxKbps: number | null
    /**
     * Says how much the stream needs, before it is sent; null if the route plays no item. The rate is read at once, or when a limit of bandwidth
     * begins while the reply is sent. Throws `StreamLimitExceeded`.
     */
    playAt: ((readNeeds: ReadNeeds) => Promise<void>) | null
    /** Keeps the place of the stream while a long reply is sent; null if the route plays no item. */
    keepPlace: ((limits: PlaybackLimits) => Promise<void>) | null
    /** Whether this reply needs the permission to download, on a route whose other replies do not need it. */
    needsDownloads: boolean
    /** IP address of the client, also behind trusted proxies, in its shortest form and without port. */
    readonly clientAddress: string
    /** False if `clientAddress` may be that of a proxy, which many clients share, or is none. */
    readonly isAddressKnown: boolean
    /** Whether the client is in the local network; `remote` if an unknown proxy may be in between. */
    readonly clientLocality: CallerLocality
    /** The error that the error handler answered, kept for the request log. */
    failure: unknown
    /** Time until the first byte of the response in milliseconds; null before that. */
    answeredAfterMilliseconds: number | null
    /** Reports that the response is complete, which frees the account's slot of the concurrency limit. */
    releaseConcurrencySlot?: () => void
    /** Waits until one more batch of a long list may be made for the account. Returns the function that ends it; undefined: no limit applies. */
    acquireLongListSlot?: () => Promise<() => void>
    /** Lets background work continue. */
    endForegroundRequest: () => void
  }
  interface FastifyInstance {
    /** Every route with its access level, in order of registration. */
    declaredRoutes: DeclaredRoute[]
    /** Issues and verifies tokens. */
    tokens: TokenService
    /** Traffic counters. */
    traffic: Traffic
    /** Buffers of file downloads. */
    chunkBuffers: ChunkBuffers
    /** The built pages of the browser. */
    webPages: WebPages
  }
  interface FastifyContextConfig {
    access?: RouteAccess
    reveals?: RevealedData
    /** Rate-limit class of the route: requests are counted per client address and answered with 429 above the limit. */
    surface?: RateLimitSurface
    /** What requests of the route are counted by; undefined: by what its surface says. */
    countedAs?: (request: FastifyRequest) => Promise<string | undefined>
    /** Whether replies carry tokens, passwords or other secrets: they are never compressed. */
    carriesSecrets?: boolean
    /** Whether the route has a concurrency limit of its own and is exempt from the limit per account. */
    hasOwnLimit?: boolean
    /** Whether a caller has one of these requests at a time, until its reply has been sent. */
    isOneAtATime?: boolean
    /** For `signed` routes: the resource that the signature must cover, computed from the path parameters that the handler uses. */
    signedResource?: (parameters: PathParameters) => string
    /** For `guest` routes: what the request is about, which must be part of the link; computed from the path parameters that the handler uses. */
    guestTarget?: (parameters: PathParameters) => GuestTarget
    /**
     * For `signed` routes whose response depends on the user: a bearer token is read in addition to a valid signature. Media bytes are the
     * same for every user and are requested in many ranges, so their routes skip that database query.
     */
    isPersonal?: boolean
    /** For `admin` routes: the error code for users who are not administrators; default `auth.not_admin`. */
    refusal?: 'admin_required'
    /** Polled every few seconds: only failures are logged. */
    isProbe?: boolean
    /** A cheap request that clients poll while background work runs: background work does not pause for it. */
    isStatusPoll?: boolean
    /**
     * For routes of players: requests are refused outside of the time windows of the profile, and above its number of streams. The value
     * tells which item is played. `item`: the parameter `id`; `job`: the item of the parameter `jobId`; `report`: `media_item_id` of the
     * body; `nothing`: no item yet; `end`: the playback of the device has ended.
     */
    playback?: 'item' | 'job' | 'report' | 'nothing' | 'end'
    /** Whether a file is sent to be kept, or is made or addressed for that: only with the permission to download. A function reads the query. */
    saves?: boolean | ((query: Readonly<Record<string, unknown>>) => boolean)
    /** HTTP status of errors of kind `invalid` on this route; default 400. */
    invalidStatus?: number
  }
}

/** The daemon's Fastify instance. Schemas give handlers their types. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The services that each route plugin receives. */
export type RouteContext = {
  services: SigningServices
  tokens: TokenService
  lifecycle: Lifecycle
  /** Cache of serialized list replies. */
  listReplies: ListReplyCache
  /** The newest log lines. */
  recentLines: RecentLines
}

/** The routes of one resource. routes/index.ts lists it with its prefix. */
export type RoutePlugin = (app: App, context: RouteContext) => void

/** URL prefix of a plugin, and the plugin. */
export type RouteEntry = readonly [prefix: string, plugin: RoutePlugin]

/** State of the process. `/readyz` and the check of new requests read it. */
export type Lifecycle = {
  isStopping: boolean
  /**
   * Stops this run in an orderly way and starts a new run. Only the daemon of `serve` supports it.
   * @throws AppError `restart_refused` when a new run could not start; the current run continues
   */
  restart?: () => void
}
