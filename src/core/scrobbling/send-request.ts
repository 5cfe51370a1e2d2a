import type { Config } from '../platform/config/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { SendServiceRequest } from './service.ts'
import type { ScrobbleServiceName } from './services/index.ts'

const READ_BYTES = 64 * 1024

/** The API of a service, at its configured address. Each request has the time limit of webhooks. */
export function createSendRequest(
  { config, outbound }: { config: Config; outbound: Outbound },
  service: ScrobbleServiceName,
  signal?: AbortSignal,
): SendServiceRequest {
  const base = config.options[`scrobbling.${service}.base_url`].replace(/\/+$/, '')
  const timeoutMilliseconds = config.options['webhooks.timeout_seconds'] * 1000
  return ({ path, ...request }) =>
    outbound.send(
      {
        ...request,
        purpose: 'scrobbling',
        url: base + path,
        trust: 'configured',
        timeoutMilliseconds,
        maximumBytes: READ_BYTES,
      },
      signal,
    )
}
