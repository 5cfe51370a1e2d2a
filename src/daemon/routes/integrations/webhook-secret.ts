import type { FastifyRequest } from 'fastify'

/**
 * The secret that a webhook brings: the password of Basic authentication (RFC 7617; every version of Radarr and Sonarr can send it,
 * the user name is theirs to choose) or the header `X-Webhook-Secret`. Undefined when there is neither.
 */
export function webhookSecretOf(headers: FastifyRequest['headers']): string | undefined {
  const { authorization, 'x-webhook-secret': own } = headers
  // Header values are read as Latin-1, whatever their bytes mean.
  if (typeof own === 'string') return Buffer.from(own, 'latin1').toString()
  const credentials = /^basic ([\w+/=-]{1,4000})$/i.exec(authorization ?? '')?.[1]
  if (credentials === undefined) return undefined
  const text = Buffer.from(credentials, 'base64').toString()
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined
}
