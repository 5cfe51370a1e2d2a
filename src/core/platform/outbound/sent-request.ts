/** What requests are for: the values of a label of the metrics. Hosts are none, because users and plugins choose some of them. */
export const OUTBOUND_PURPOSES = [
  'acquisition',
  'artwork',
  'bucket',
  'command',
  'cover-art',
  'hub',
  'musicbrainz',
  'notification',
  'plugin',
  'plugin-source',
  'router',
  'scrobbling',
  'sign-in',
  'tmdb',
  'tvdb',
  'update-check',
  'webhook',
] as const

export type OutboundPurpose = (typeof OUTBOUND_PURPOSES)[number]

/** How a request ended. `refused`: it was not sent, or a redirect was not followed. `failed`: there is no complete reply. */
export type OutboundResult = '2xx' | '3xx' | '4xx' | '5xx' | 'refused' | 'failed'

/** A request that has ended. Requests that their caller has aborted are not among them. */
export type SentRequest = Readonly<{ purpose: OutboundPurpose; result: OutboundResult }>
