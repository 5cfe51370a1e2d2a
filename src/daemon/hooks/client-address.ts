import type { FastifyRequest } from 'fastify'
import { parseAddressRanges } from '../../core/platform/config/index.ts'
import type { RelayLink } from '../../core/relay-link/index.ts'
import type { Services } from '../../core/services.ts'
import type { App } from '../http/app-types.ts'
import { resolveClientAddress } from '../http/client-address.ts'
import { isAddressKnown, classifyClientLocality } from '../http/client-locality.ts'

export type ReadClientAddress = (request: Pick<FastifyRequest, 'raw'>) => string

/** A hub has no tunnel of its own. */
type AddressServices = Pick<Services, 'config'> & { relayLink?: Pick<RelayLink, 'isRelayed'> }

/**
 * Returns a function that reads the client address with the configured trusted proxies; it also works for requests without a route. Requests
 * of the hub arrive through a connection of this process, which is trusted whatever is configured: viewers would share one address otherwise.
 */
export function createAddressReader({ config, relayLink }: AddressServices): ReadClientAddress {
  const { ranges: trusted } = parseAddressRanges(config.options['server.trusted_proxies'])
  return ({ raw: { headersDistinct, socket } }) => {
    const { remoteAddress: peer, remotePort: port } = socket
    const forwardedFor = headersDistinct['x-forwarded-for']
    const isRelayed = forwardedFor !== undefined && relayLink?.isRelayed({ address: peer, port }) === true
    if (!isRelayed) return resolveClientAddress({ peer, forwardedFor, trusted })
    // The hub has read the chain in front of itself, and sends one address.
    return resolveClientAddress({ peer: forwardedFor.join(','), forwardedFor: undefined, trusted })
  }
}

/** Adds `request.clientAddress`, `request.isAddressKnown` and `request.clientLocality`. */
export function installClientAddress(app: App, { config }: Pick<Services, 'config'>, read: ReadClientAddress): void {
  const { ranges: trusted } = parseAddressRanges(config.options['server.trusted_proxies'])
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return read(this)
    },
  })
  app.decorateRequest('isAddressKnown', {
    getter(this: FastifyRequest) {
      const { headers, socket } = this.raw
      return isAddressKnown({ clientAddress: read(this), peer: socket.remoteAddress, headers, trusted })
    },
  })
  app.decorateRequest('clientLocality', {
    getter(this: FastifyRequest) {
      const { headers, socket } = this.raw
      return classifyClientLocality({
        clientAddress: read(this),
        peer: socket.remoteAddress,
        headers,
        trusted,
        publicUrl: config.options['server.public_url'],
      })
    },
  })
}
