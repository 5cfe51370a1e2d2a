import type { FastifyRequest } from 'fastify'
import { parseAddressRanges } from '../../core/platform/config/index.ts'
import type { Services } from '../../core/services.ts'
import type { App } from '../http/app-types.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { localityOf } from '../http/client-locality.ts'

export type ReadClientAddress = (request: Pick<FastifyRequest, 'raw'>) => string

/** Returns a function that reads the client address with the configured trusted proxies; it also works for requests without a route. */
export function createAddressReader({ config }: Pick<Services, 'config'>): ReadClientAddress {
  const { ranges: trusted } = parseAddressRanges(config.options['server.trusted_proxies'])
  return ({ raw: { headersDistinct, socket } }) =>
    clientAddressOf({ peer: socket.remoteAddress, forwardedFor: headersDistinct['x-forwarded-for'], trusted })
}

/** Adds `request.clientAddress` and `request.clientLocality`. */
export function installClientAddress(app: App, { config }: Pick<Services, 'config'>, read: ReadClientAddress): void {
  const { ranges: trusted } = parseAddressRanges(config.options['server.trusted_proxies'])
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return read(this)
    },
  })
  app.decorateRequest('clientLocality', {
    getter(this: FastifyRequest) {
      const { headers, socket } = this.raw
      return localityOf({
        clientAddress: read(this),
        peer: socket.remoteAddress,
        headers,
        trusted,
        publicUrl: config.options['server.public_url'],
      })
    },
  })
}
