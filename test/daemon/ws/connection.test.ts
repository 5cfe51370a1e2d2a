import { EventEmitter } from 'node:events'
import t from 'tap'
import type { WebSocket } from 'ws'
import type { AuthenticatedClient } from '../../../src/daemon/ws/handshake.ts'
import { openConnection } from '../../../src/daemon/ws/connection.ts'
import { createMessageViews } from '../../../src/daemon/ws/messages.view.ts'
import { movableClock } from '../../support/records.ts'

/** A socket with as many unsent bytes as a test says. */
function slowSocket() {
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    sent: 0,
    isTerminated: false,
    send() {
      socket.sent += 1
    },
    terminate() {
      socket.readyState = 3
      socket.isTerminated = true
    },
  })
  return socket
}

void t.test('a client is dropped when more than 256 KiB for it are unsent, not before (WS-06)', (t) => {
  const socket = slowSocket()
  const clock = movableClock()
  const connection = openConnection(
    {
      socket: socket as unknown as WebSocket,
      authenticated: { room: null } as AuthenticatedClient,
      accountMessages: { take: () => true, isFull: () => true },
      clock,
      views: createMessageViews(clock, () => 0),
    },
    { onOpen: async () => {}, onFrame: async () => {} },
  )
  socket.bufferedAmount = 256 * 1024
  connection.send({ type: 'ping' })
  t.strictSame([socket.sent, socket.isTerminated], [1, false])
  socket.bufferedAmount += 1
  connection.send({ type: 'ping' })
  t.strictSame([socket.sent, socket.isTerminated], [1, true])
  connection.send({ type: 'ping' })
  t.equal(socket.sent, 1, 'nothing is sent to a closed connection')
  t.end()
})
