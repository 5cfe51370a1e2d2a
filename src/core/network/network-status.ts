import { AppError, describeError } from '../platform/errors/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { connectGateway, type GatewayServices } from './connect-gateway.ts'
import { readForwardingSettings } from './forwarding-settings.ts'
import type { Gateway, GatewayClient, GatewayProtocol } from './gateway-client.ts'
import { readMappingFile, type PortMapping } from './mapping-file.ts'
import { classifyReachability, type Reachability } from './reachability.ts'
import { findForwardedPort, findServerAddress } from './server-port.ts'

export type NetworkStatus = Readonly<{
  isEnabled: boolean
  isServerRunning: boolean
  /** Null: no router responds. */
  gateway: Gateway | null
  protocol: GatewayProtocol | null
  externalAddress: string | null
  /** Whether the Internet reaches the external address; null: no router responds. */
  reach: Reachability | null
  /** The mapping of this installation; null: there is none, or the router has lost it. */
  mapping: PortMapping | null
  /** The port that the server uses or would use; null if it selects one at its start. */
  internalPort: number | null
  /** Why no router responds. */
  problem: string | null
}>

/** Asks the router. A mapping of another process, such as the server, is read from the mapping file and confirmed by the router. */
export async function readNetworkStatus(
  services: GatewayServices & { config: Config; clock: Clock; db: Database },
  signal?: AbortSignal,
): Promise<NetworkStatus> {
  const settings = await readForwardingSettings(services)
  const mapping = readMappingFile(services, services.clock.now())
  const internalPort = findForwardedPort(services) ?? null
  const isServerRunning = findServerAddress(services) !== undefined
  const common = { isEnabled: settings.isEnabled, isServerRunning, internalPort }
  try {
    const client = await connectGateway(services, mapping?.protocol ?? settings.protocol, signal)
    const { externalAddress } = await client.readState(signal)
    const isMapped = mapping !== undefined && (await isConfirmed(client, mapping, signal))
    const { gateway, protocol } = client
    const reach = classifyReachability(externalAddress)
    return { ...common, gateway, protocol, externalAddress, reach, mapping: isMapped ? mapping : null, problem: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const nothing = { gateway: null, protocol: null, externalAddress: null, reach: null }
    return { ...common, ...nothing, mapping: mapping ?? null, problem: describeError(error) }
  }
}

function isConfirmed(client: GatewayClient, mapping: PortMapping, signal: AbortSignal | undefined): Promise<boolean> {
  const { address, localAddress } = client.gateway
  if (address !== mapping.gatewayAddress || localAddress !== mapping.internalAddress) return Promise.resolve(false)
  return client.isMapped(mapping, signal)
}
