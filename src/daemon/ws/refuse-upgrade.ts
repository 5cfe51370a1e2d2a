import type { Duplex } from 'node:stream'
import type { AppError } from '../../core/platform/errors/index.ts'
import { errorBody, retryAfterHeader, httpStatusOfError } from '../hooks/errors.ts'

/**
 * Answers a handshake with the usual error body, and closes the connection.
 * @returns the status
 */
export function refuseUpgrade(socket: Duplex, error: AppError): number {
  const status = httpStatusOfError(error)
  const body = JSON.stringify(errorBody(error, status))
  const retryAfter = retryAfterHeader(error)
  const head = [
    `HTTP/1.1 ${status} ${error.title}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    // A 426 response must contain the protocol (RFC 9110, 15.5.22).
    ...(status === 426 ? ['Upgrade: websocket'] : []),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  return status
}
