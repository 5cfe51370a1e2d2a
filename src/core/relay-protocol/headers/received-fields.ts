import type { IncomingHttpHeaders } from 'node:http2'
import type { ReceivedField } from './header-fields.ts'

/** The header fields of a message of HTTP/2, without the pseudo headers. */
export function parseReceivedFields(headers: IncomingHttpHeaders): ReceivedField[] {
  return Object.entries(headers).flatMap(([name, value]): ReceivedField[] => {
    if (name.startsWith(':') || value === undefined) return []
    return (Array.isArray(value) ? value : [value]).map((one) => [name, one])
  })
}
