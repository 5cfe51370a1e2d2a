import type { FastifyRequest } from 'fastify'

/** The kind of device that a client says it is; both header names are in use (decisions 3.1, Headers). */
export function deviceTypeOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['x-service-device-type'] ?? headers['x-phlix-device-type']
  return typeof value === 'string' ? value : undefined
}

/** The web client names no device, or `web`; the client of Samsung televisions is the same program. */
const BROWSERS = new Set(['', 'web', 'tizen', 'samsung-tizen'])

/** Whether a client of this device type runs in a browser. */
export function isBrowser(deviceType: string | undefined): boolean {
  return BROWSERS.has(deviceType?.trim().toLowerCase() ?? '')
}
