/** The issuer of all tokens of a hub. */
export const HUB_ISSUER = 'phlix-hub'

/** The audience of enrolment tokens, with which a home server authenticates at its hub. */
export const SERVER_AUDIENCE = 'server'

/** The audience of the tokens with which users of a hub authenticate at a home server. */
export const MEDIA_SERVER_AUDIENCE = 'phlix-server'

/** Lifetime of an enrolment token: 7 days. The home server renews it before. */
export const ENROLMENT_SECONDS = 604_800

/** Lifetime of a token for a home server. It is not longer than the time for which a home server keeps the key set of its hub. */
export const SERVER_TOKEN_SECONDS = 900

/** What such a token permits. */
export const SERVER_TOKEN_SCOPE = ['library:read', 'library:playback'] as const

/** The accepted difference between the clocks of a hub and of a home server. */
export const CLOCK_SKEW_SECONDS = 300
