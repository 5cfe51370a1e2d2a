import type { FastifyRequest } from 'fastify'

/** The kind of device that a client says it is; both header names are in use (decisions 3.1, Headers). */
export function deviceTypeOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['x-service-device-type'] ?? headers['x-phlix-device-type']
  return typeof value === 'string' ? value : undefined
}
