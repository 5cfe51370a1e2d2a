import { defineErrors } from '../platform/errors/index.ts'

export const relayErrors = defineErrors({
  relay_unavailable: {
    kind: 'busy',
    code: 'server.relay_unavailable',
    title: 'Server has no tunnel',
    doc: 'The home server is online, but has no tunnel to the hub at this moment, or the tunnel ended before the reply began.',
  },
  viewer_left: {
    kind: 'busy',
    code: 'proxy.viewer_left',
    title: 'Viewer has left',
    doc: 'The connection of the viewer was closed before the reply; nobody gets this answer.',
  },
  scope_denied: {
    kind: 'forbidden',
    code: 'proxy.scope_denied',
    title: 'Forbidden',
    doc: 'The relay does not forward this method and path.',
  },
  stream_limit: {
    kind: 'busy',
    code: 'stream.limit',
    title: 'Too many streams',
    doc: 'The user, or the home server, has the greatest number of simultaneous requests through the relay.',
  },
  malformed_headers: {
    kind: 'invalid',
    code: 'proxy.malformed_headers',
    title: 'Bad request',
    doc: 'A header of the request has forbidden characters or occurs twice, or there are more than 100.',
  },
  reply_timeout: {
    kind: 'busy',
    code: 'gateway.timeout',
    title: 'Gateway Timeout',
    doc: 'The home server sent no reply through the relay in time: 60 seconds for segments, 30 seconds for everything else. Status 504.',
  },
  reply_refused: {
    kind: 'busy',
    code: 'gateway.bad_reply',
    title: 'Bad Gateway',
    doc: 'The reply of the home server has malformed headers, is larger than 8 MiB where the relay passes it on as a whole, or refuses the token of the hub. Status 502.',
  },
})
