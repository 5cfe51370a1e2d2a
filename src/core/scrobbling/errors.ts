import { defineErrors } from '../platform/errors/index.ts'

export const scrobblingErrors = defineErrors({
  scrobbler_not_found: {
    kind: 'not_found',
    title: 'Not connected',
    doc: 'The account has no connection to this service.',
  },
  scrobbling_not_configured: {
    kind: 'conflict',
    title: 'Service is not configured',
    doc: 'The keys of this server for the service are missing; `settings` names them.',
  },
  scrobbler_not_approved: {
    kind: 'conflict',
    title: 'Not approved yet',
    doc: 'The user has not yet approved this server at the service. The same code can be sent again.',
  },
  scrobbler_refused: {
    kind: 'invalid',
    title: 'Refused by the service',
    doc: 'The service does not accept the token or code: it is wrong, expired, used or denied.',
  },
  scrobbling_service_failed: {
    kind: 'unavailable',
    title: 'The service did not answer as expected',
    doc: 'The service cannot be reached, limits the rate of requests, or has an error. Nothing was changed.',
  },
})
