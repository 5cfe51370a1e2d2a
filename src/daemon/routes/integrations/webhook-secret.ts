import type { FastifyRequest } from 'fastify'

/**
 * The secret of a webhook: the password of Basic authentication (RFC 7617; every version of Radarr and Sonarr supports it, the user name is
 * arbitrary) or the header `X-Webhook-Secret`. Undefined without either.
 */
export function readWebhookSecret(headers: FastifyRequest['headers']): string | undefined {
  const { authorization, 'x-webhook-secret': own } = headers
  // Node decodes header values as Latin-1, whatever their encoding.
  if (typeof own === 'string') return Buffer.from(own, 'latin1').toString()
  const credentials = /^basic ([\w+/=-]{1,4000})$/i.exec(authorization ?? '')?.[1]
  if (credentials === undefined) return undefined
  const text = Buffer.from(credentials, 'base64').toString()
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined
}
