import { defineErrors } from '../../core/platform/errors/index.ts'

/** Error codes of WebSocket handshakes and messages. */
export const socketErrors = defineErrors({
  upgrade_required: {
    kind: 'invalid',
    title: 'Upgrade required',
    doc: 'A request to the WebSocket port is not a WebSocket handshake. Status 426.',
  },
  origin_not_allowed: {
    kind: 'forbidden',
    title: 'Origin is not allowed',
    doc: 'A page of another host opened a WebSocket. Behind a proxy `server.public_url` must be the address for browsers.',
  },
  too_many_connections: {
    kind: 'limited',
    title: 'Too many connections',
    doc: 'An account has at most 128 open WebSockets on a server.',
  },
  invalid_message: {
    kind: 'invalid',
    title: 'Invalid message',
    doc: 'A WebSocket message is not a JSON object with a `type`, or a field that its type requires is missing.',
  },
  unknown_type: {
    kind: 'invalid',
    title: 'Unknown message type',
    doc: 'A WebSocket message has an unknown type.',
  },
  group_moved: {
    kind: 'unavailable',
    title: 'The group is in another process',
    doc: 'The server process of a watch group has ended or changed. The client joins again, with its `resume_token`.',
  },
  seat_taken: {
    kind: 'conflict',
    title: 'Joined elsewhere',
    doc: 'The same session has joined the watch group on another connection, which now has the seat.',
  },
})
