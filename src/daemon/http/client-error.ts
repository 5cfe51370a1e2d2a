import type { Socket } from 'node:net'
import type { ErrorFactory } from '../../core/platform/errors/index.ts'
import { httpErrors } from '../errors.ts'

const ANSWERS: Readonly<Record<string, [statusLine: string, error: ErrorFactory]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', httpErrors.request_timeout],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', httpErrors.headers_too_large],
}

const BAD_REQUEST: [string, ErrorFactory] = ['400 Bad Request', httpErrors.bad_request]

/** Answers bytes that are not a valid HTTP request with the usual error body, and closes the connection. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [statusLine, create] = ANSWERS[error.code ?? ''] ?? BAD_REQUEST
  const { title, code } = create.definition
  const body = JSON.stringify({ error: title, code })
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${statusLine}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}
