/** A rate limit with its defaults. */
export type RateLimit = {
  /** Number of calls by one client in a window. */
  readonly max: number
  readonly windowSeconds: number
  /** `shared`: one count for all processes on a database. `process`: one count per process. */
  readonly scope: 'shared' | 'process'
  /** The noun for the counted calls in docs/configuration.md. */
  readonly counts: string
  /** Whether calls are counted by session or API key in place of the address. For routes of accounts, whose devices may share an address. */
  readonly isPerSession?: boolean
}

/** The rate-limited parts of the API with their defaults. options.ts derives two options from each row. */
export const RATE_LIMIT_SURFACES = {
  register: { max: 5, windowSeconds: 600, scope: 'shared', counts: 'registrations' },
  invite: { max: 30, windowSeconds: 60, scope: 'process', counts: 'checks of invites before a registration' },
  login: { max: 60, windowSeconds: 60, scope: 'process', counts: 'password logins' },
  refresh: { max: 30, windowSeconds: 60, scope: 'shared', counts: 'token refreshes' },
  webauthn_start: { max: 10, windowSeconds: 60, scope: 'shared', counts: 'started passkey logins' },
  webauthn_finish: { max: 10, windowSeconds: 60, scope: 'shared', counts: 'completed passkey logins' },
  oidc: { max: 30, windowSeconds: 60, scope: 'process', counts: 'steps of single sign-ons' },
  oidc_logout: { max: 120, windowSeconds: 60, scope: 'process', counts: 'logout tokens of the OpenID provider' },
  quick_connect: {
    max: 120,
    windowSeconds: 60,
    scope: 'process',
    counts: 'requests of devices that sign in by a code',
  },
  avatar: { max: 30, windowSeconds: 600, scope: 'process', counts: 'uploads of account pictures' },
  subtitle_search: { max: 30, windowSeconds: 60, scope: 'process', counts: 'searches for subtitles' },
  subtitle_download: { max: 30, windowSeconds: 60, scope: 'process', counts: 'downloads of subtitles' },
  scrobbler_connect: {
    max: 60,
    windowSeconds: 600,
    scope: 'process',
    counts: 'attempts to connect a scrobbling service',
  },
  email_change: { max: 20, windowSeconds: 600, scope: 'shared', counts: 'changes of the own e-mail address' },
  account_export: { max: 20, windowSeconds: 600, scope: 'process', counts: 'copies of everything about an account' },
  limit_changes: {
    max: 120,
    windowSeconds: 60,
    scope: 'process',
    counts: 'changes of profiles and limits',
    isPerSession: true,
  },
  profile_switch: {
    max: 120,
    windowSeconds: 60,
    scope: 'process',
    counts: 'switches between profiles',
    isPerSession: true,
  },
  share_create: { max: 60, windowSeconds: 600, scope: 'process', counts: 'new share links' },
  guest_stream: { max: 60, windowSeconds: 60, scope: 'process', counts: 'streams that guests of share links start' },
  jwks: { max: 120, windowSeconds: 60, scope: 'process', counts: 'reads of the public key set and proofs of identity' },
  hub_pair: { max: 20, windowSeconds: 600, scope: 'shared', counts: 'claims that home servers open at a hub' },
  hub_claim: {
    max: 10,
    windowSeconds: 600,
    scope: 'shared',
    counts: 'codes of home servers that are entered at a hub',
  },
  hub_poll: {
    max: 240,
    windowSeconds: 60,
    scope: 'process',
    counts: 'questions whether a claim was confirmed at a hub',
  },
  hub_renew: { max: 30, windowSeconds: 60, scope: 'process', counts: 'renewals of enrolments at a hub' },
  ws_connect: { max: 30, windowSeconds: 60, scope: 'process', counts: 'WebSocket connections' },
} as const satisfies Record<string, RateLimit>

export type RateLimitSurface = keyof typeof RATE_LIMIT_SURFACES
