import type { Config } from '../platform/config/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import { networkErrors } from './errors.ts'
import { findGateway } from './find-gateway.ts'
import {
  GATEWAY_LIMITS,
  type Gateway,
  type GatewayClient,
  type GatewayLimits,
  type GatewayProtocol,
} from './gateway-client.ts'
import { createNatPmpClient } from './nat-pmp/nat-pmp-client.ts'

export type GatewayServices = Readonly<{
  config: Config
  outbound: Outbound
  /** Default: `GATEWAY_LIMITS`. */
  gatewayLimits?: GatewayLimits
}>

/** `auto`: NAT-PMP, else UPnP. */
export type ProtocolChoice = GatewayProtocol | 'auto'

/**
 * Finds the router and a protocol that it supports.
 * @throws AppError `gateway_not_found`, `gateway_silent`, `gateway_refused`, `gateway_reply_invalid`
 */
export async function connectGateway(
  services: GatewayServices,
  protocol: ProtocolChoice,
  signal?: AbortSignal,
): Promise<GatewayClient> {
  const gateway = await findGateway(services)
  if (protocol === 'upnp') return openUpnp(services, gateway, signal)
  let refusal: unknown
  try {
    const client = createNatPmpClient(gateway, services.gatewayLimits ?? GATEWAY_LIMITS)
    await client.readState(signal)
    return client
  } catch (error) {
    if (protocol === 'nat-pmp' || !(error instanceof AppError)) throw error
    refusal = error
  }
  try {
    return await openUpnp(services, gateway, signal)
  } catch (error) {
    throw isSilent(error) ? (isSilent(refusal) ? silent(gateway) : refusal) : error
  }
}

async function openUpnp(
  services: GatewayServices,
  gateway: Gateway,
  signal: AbortSignal | undefined,
): Promise<GatewayClient> {
  // Loaded here, because the services of every command include port forwarding, and the client loads a parser of XML.
  const { openUpnpClient } = await import('./upnp/upnp-client.ts')
  const { outbound, gatewayLimits: limits = GATEWAY_LIMITS } = services
  return openUpnpClient({ outbound, gateway, limits }, signal)
}

function isSilent(error: unknown): boolean {
  return error instanceof AppError && error.code === networkErrors.gateway_silent.definition.code
}

function silent({ address }: Gateway): Error {
  return networkErrors.gateway_silent({
    message: `The gateway ${address} answers neither NAT-PMP nor UPnP.`,
    hint: 'switch on UPnP or NAT-PMP in the settings of the router, or forward the port there by hand',
  })
}
