import { defineErrors } from '../../core/platform/errors/index.ts'

/** Error codes of WebSocket handshakes and messages. */
export const socketErrors = defineErrors({
  upgrade_required: {
    kind: 'invalid',
    title: 'Upgrade required',
    doc: 'The WebSocket port was asked for something else than a WebSocket. Status 426.',
  },
  origin_not_allowed: {
    kind: 'forbidden',
    title: 'Origin is not allowed',
    doc: 'A page of another host opened a WebSocket; `server.public_url` names the host behind a proxy.',
  },
  invalid_message: {
    kind: 'invalid',
    title: 'Invalid message',
    doc: 'A WebSocket message is not a JSON object with a `type`, or lacks what its type needs.',
  },
  unknown_type: {
    kind: 'invalid',
    title: 'Unknown message type',
    doc: 'A WebSocket message of a type that is not known.',
  },
  syncplay_unavailable: {
    kind: 'unavailable',
    title: 'SyncPlay is not available',
    doc: 'A `syncplay_*` message other than `syncplay_time_ping`: this server has no watch groups.',
  },
})
