import type { FastifyRequest } from 'fastify'

/** The device type that the client reports; both header names are in use. */
export function readDeviceType({ headers }: FastifyRequest): string | undefined {
  const value = headers['x-service-device-type'] ?? headers['x-phlix-device-type']
  return typeof value === 'string' ? value : undefined
}

/** The web client sends no device type or `web`. The client of Samsung televisions is the same program. */
const BROWSERS = new Set(['', 'web', 'tizen', 'samsung-tizen'])

/** Whether the client of this device type runs in a browser. */
export function isBrowser(deviceType: string | undefined): boolean {
  return BROWSERS.has(deviceType?.trim().toLowerCase() ?? '')
}
