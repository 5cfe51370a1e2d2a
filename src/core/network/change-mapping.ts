import { AppError } from '../platform/errors/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { connectGateway, type GatewayServices } from './connect-gateway.ts'
import { networkErrors } from './errors.ts'
import type { ForwardingSettings } from './forwarding-settings.ts'
import { GATEWAY_LIMITS, type GatewayClient, type Grant } from './gateway-client.ts'
import { readMapping, writeMapping, type Mapping } from './mapping-file.ts'

export type MappingServices = GatewayServices & Readonly<{ clock: Clock }>

/** Ports that are tried if none is configured: that of the server, and the next ones. */
const TRIED_PORTS = 10

export type OpenMappingInput = Readonly<{
  settings: Omit<ForwardingSettings, 'isEnabled'>
  internalPort: number
  /** A connection to the router; by default a new one. */
  client?: GatewayClient | undefined
}>

/**
 * Makes the router forward a port to this machine, or renews that. A mapping of this installation that no longer fits is removed first.
 * @returns the mapping, which the mapping file contains as well, and the connection
 * @throws AppError `gateway_not_found`, `gateway_silent`, `gateway_refused`, `gateway_reply_invalid`, `external_port_taken`; the signal's reason
 */
export async function openMapping(
  services: MappingServices,
  { settings, internalPort, client: connected }: OpenMappingInput,
  signal?: AbortSignal,
): Promise<{ mapping: Mapping; client: GatewayClient }> {
  return withTotalLimit(services, signal, async (limited) => {
    const client = connected ?? (await connectGateway(services, settings.protocol, limited))
    const previous = readMapping(services, services.clock.now())
    const isKept = previous !== undefined && fits(previous, { settings, internalPort, client })
    if (previous !== undefined && !isKept) await removeQuietly(services, { mapping: previous, client }, limited)
    const preferred = isKept ? previous.externalPort : internalPort
    const grant = await requestMapping(client, { settings, internalPort, preferred }, limited)
    const { externalAddress } = await client.readState(limited)
    const now = services.clock.now()
    const mapping: Mapping = {
      protocol: client.protocol,
      gatewayAddress: client.gateway.address,
      internalAddress: client.gateway.localAddress,
      internalPort,
      externalAddress,
      ...grant,
      openedAt: now,
      checkedAt: now,
    }
    writeMapping(services, mapping)
    return { mapping, client }
  })
}

/** Whether a mapping is the one that the settings ask for, at this router. */
export function fits(
  mapping: Mapping,
  { settings, internalPort, client }: Pick<OpenMappingInput, 'settings' | 'internalPort'> & { client: GatewayClient },
): boolean {
  const { externalPort, protocol } = settings
  return (
    (protocol === 'auto' || protocol === mapping.protocol) &&
    (externalPort === 0 || externalPort === mapping.externalPort) &&
    internalPort === mapping.internalPort &&
    client.protocol === mapping.protocol &&
    client.gateway.address === mapping.gatewayAddress &&
    client.gateway.localAddress === mapping.internalAddress
  )
}

type Wanted = Pick<OpenMappingInput, 'settings' | 'internalPort'> & { preferred: number }

/** Requests the configured port, or the first one that is free. */
async function requestMapping(
  client: GatewayClient,
  { settings, internalPort, preferred }: Wanted,
  signal: AbortSignal,
): Promise<Grant> {
  const { externalPort: chosen, leaseSeconds } = settings
  const ports = chosen === 0 ? [preferred, ...portsFrom(internalPort, preferred)] : [chosen]
  let refusal: unknown
  for (const externalPort of ports) {
    try {
      const grant = await client.map({ internalPort, externalPort, leaseSeconds }, signal)
      if (chosen === 0 || grant.externalPort === chosen) return grant
      await client.unmap({ internalPort, externalPort: grant.externalPort }, signal)
      const message = `The gateway ${client.gateway.address} offers port ${grant.externalPort} instead of ${chosen}.`
      throw networkErrors.external_port_taken({ message })
    } catch (error) {
      if (!isTaken(error)) throw error
      refusal = error
    }
  }
  throw refusal
}

function portsFrom(first: number, without: number): number[] {
  const ports = Array.from({ length: TRIED_PORTS }, (_, step) => first + step)
  return ports.filter((port) => port <= 65_535 && port !== without)
}

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === networkErrors.external_port_taken.definition.code
}

/**
 * Makes the router end the mapping of this installation; does nothing if there is none.
 * @param input.client a connection to the router; by default a new one
 * @returns the removed mapping
 * @throws AppError the errors of `openMapping`; the mapping file is then kept until the lease ends
 */
export async function removeMapping(
  services: MappingServices,
  { client: connected }: { client?: GatewayClient | undefined } = {},
  signal?: AbortSignal,
): Promise<Mapping | undefined> {
  const mapping = readMapping(services, services.clock.now())
  if (mapping === undefined) {
    writeMapping(services, null)
    return undefined
  }
  await withTotalLimit(services, signal, async (limited) => {
    const client = connected ?? (await connectGateway(services, mapping.protocol, limited))
    if (isReachable(mapping, client)) await client.unmap(mapping, limited)
  })
  writeMapping(services, null)
  return mapping
}

/** Routers and networks that this machine has left cannot be told anything. */
function isReachable(mapping: Mapping, { protocol, gateway }: GatewayClient): boolean {
  const { address, localAddress } = gateway
  return protocol === mapping.protocol && address === mapping.gatewayAddress && localAddress === mapping.internalAddress
}

/** Removes a mapping that is replaced. If that fails, its lease ends it. */
async function removeQuietly(
  services: MappingServices,
  { mapping, client }: { mapping: Mapping; client: GatewayClient },
  signal: AbortSignal,
): Promise<void> {
  try {
    const old = client.protocol === mapping.protocol ? client : await connectGateway(services, mapping.protocol, signal)
    if (isReachable(mapping, old)) await old.unmap(mapping, signal)
    writeMapping(services, null)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
  }
}

/** @throws AppError `gateway_silent` when the time of the limits is over */
async function withTotalLimit<Result>(
  { gatewayLimits = GATEWAY_LIMITS }: MappingServices,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(gatewayLimits.totalMilliseconds)
  try {
    return await work(AbortSignal.any([limit, ...(signal === undefined ? [] : [signal])]))
  } catch (error) {
    if (!limit.aborted || signal?.aborted === true || error instanceof AppError) throw error
    throw networkErrors.gateway_silent({ message: 'The gateway answers too slowly.', cause: error })
  }
}
