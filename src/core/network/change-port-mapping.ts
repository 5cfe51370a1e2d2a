import { AppError } from '../platform/errors/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { connectGateway, type GatewayServices } from './connect-gateway.ts'
import { networkErrors } from './errors.ts'
import type { ForwardingSettings } from './forwarding-settings.ts'
import type { GatewayClient, MappingGrant } from './gateway-client.ts'
import { readMappingFile, writeMappingFile, type PortMapping } from './mapping-file.ts'
import { withTotalTimeout } from './with-total-timeout.ts'

export type MappingServices = GatewayServices & Readonly<{ clock: Clock }>

/** Number of ports that are tried if none is configured: the port of the server and the following ports. */
const TRIED_PORTS = 10

export type OpenMappingInput = Readonly<{
  settings: Omit<ForwardingSettings, 'isEnabled'>
  internalPort: number
  /** A connection to the router; default: a new connection. */
  client?: GatewayClient | undefined
}>

/**
 * Makes the router forward a port to this machine, or renews the mapping. A mapping of this installation that differs from the settings is
 * removed first. Each port is written to the mapping file as soon as the router confirms it, even if a later step fails.
 * @returns the mapping, which is also in the mapping file, and the connection
 * @throws AppError `gateway_not_found`, `gateway_silent`, `gateway_refused`, `gateway_reply_invalid`, `external_port_taken`,
 * `mapping_not_removed`; the signal's reason
 */
export async function openPortMapping(
  services: MappingServices,
  { settings, internalPort, client: connected }: OpenMappingInput,
  signal?: AbortSignal,
): Promise<{ mapping: PortMapping; client: GatewayClient }> {
  return withTotalTimeout(services, signal, async (limited) => {
    const client = connected ?? (await connectGateway(services, settings.protocol, limited))
    const previous = readMappingFile(services, services.clock.now())
    const isKept = previous !== undefined && mappingMatchesSettings(previous, { settings, internalPort, client })
    if (previous !== undefined && !isKept) await removeReplaced(services, { mapping: previous, client }, limited)
    const kept = isKept ? previous : undefined
    /** Writes the file at once: what fails afterwards leaves a port that can still be removed. */
    const record = (grant: MappingGrant): PortMapping => {
      const now = services.clock.now()
      const mapping: PortMapping = {
        protocol: client.protocol,
        gatewayAddress: client.gateway.address,
        internalAddress: client.gateway.localAddress,
        internalPort,
        externalAddress: kept?.externalAddress ?? null,
        ...grant,
        openedAt: now,
        checkedAt: now,
      }
      writeMappingFile(services, mapping)
      return mapping
    }
    const forget = (): void => writeMappingFile(services, null)
    const granted = await requestMapping({ client, record, forget }, { settings, internalPort, kept }, limited)
    const { externalAddress } = await client.readState(limited)
    const mapping = { ...granted, externalAddress }
    writeMappingFile(services, mapping)
    return { mapping, client }
  })
}

/** Whether a mapping corresponds to the settings, at this router. */
export function mappingMatchesSettings(
  mapping: PortMapping,
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

type Wanted = Pick<OpenMappingInput, 'settings' | 'internalPort'> & { kept: PortMapping | undefined }

type Recorder = { client: GatewayClient; record: (grant: MappingGrant) => PortMapping; forget: () => void }

/** Requests the configured port, or the first port that is free. */
async function requestMapping(
  { client, record, forget }: Recorder,
  { settings, internalPort, kept }: Wanted,
  signal: AbortSignal,
): Promise<PortMapping> {
  const { externalPort: chosen, leaseSeconds } = settings
  const preferred = kept?.externalPort ?? internalPort
  const ports = chosen === 0 ? [preferred, ...portsFrom(internalPort, preferred)] : [chosen]
  let refusal: unknown
  for (const externalPort of ports) {
    try {
      const isRenewal = externalPort === kept?.externalPort
      const mapping = record(await client.map({ internalPort, externalPort, leaseSeconds, isRenewal }, signal))
      if (chosen === 0 || mapping.externalPort === chosen) return mapping
      await client.unmap(mapping, signal)
      forget()
      const message = `The gateway ${client.gateway.address} offers port ${mapping.externalPort} instead of ${chosen}.`
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
 * Asks the router to remove the mapping of this installation; does nothing if there is none.
 * @param input.client a connection to the router; default: a new connection
 * @returns the removed mapping
 * @throws AppError the errors of `openPortMapping`; the port may then still be open, and the mapping file is kept until the lease ends
 */
export async function removePortMapping(
  services: MappingServices,
  { client }: { client?: GatewayClient | undefined } = {},
  signal?: AbortSignal,
): Promise<PortMapping | undefined> {
  const mapping = readMappingFile(services, services.clock.now())
  if (mapping === undefined) {
    writeMappingFile(services, null)
    return undefined
  }
  await withTotalTimeout(services, signal, (limited) => removeRecorded(services, { mapping, client }, limited))
  return mapping
}

/** @throws AppError `mapping_not_removed` if the router cannot be told; its errors */
async function removeRecorded(
  services: MappingServices,
  { mapping, client: connected }: { mapping: PortMapping; client: GatewayClient | undefined },
  signal: AbortSignal,
): Promise<void> {
  const isUsable = connected?.protocol === mapping.protocol
  const client = isUsable ? connected : await connectGateway(services, mapping.protocol, signal)
  if (!isReachable(mapping, client)) throw notRemoved(mapping, 'this machine has left its network.')
  await client.unmap(mapping, signal)
  writeMappingFile(services, null)
}

/**
 * Routers that this machine has left cannot be told anything. With NAT-PMP an address can only end its own mappings; entries of UPnP name
 * the address that they lead to.
 */
function isReachable(mapping: PortMapping, { protocol, gateway }: GatewayClient): boolean {
  const isSameAddress = gateway.localAddress === mapping.internalAddress
  return gateway.address === mapping.gatewayAddress && (protocol === 'upnp' || isSameAddress)
}

/** Removes a mapping that is replaced. If that fails, its lease ends it; without an end nothing may replace it in the file. */
async function removeReplaced(
  services: MappingServices,
  { mapping, client }: { mapping: PortMapping; client: GatewayClient },
  signal: AbortSignal,
): Promise<void> {
  try {
    await removeRecorded(services, { mapping, client }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    if (mapping.leaseSeconds === null) throw notRemoved(mapping, error.message, error)
  }
}

function notRemoved(mapping: PortMapping, reason: string, cause?: AppError): AppError {
  if (cause?.code === networkErrors.mapping_not_removed.definition.code) return cause
  const { gatewayAddress, externalPort, internalAddress } = mapping
  const port = `port ${externalPort} to ${internalAddress}`
  return networkErrors.mapping_not_removed({
    message: `The gateway ${gatewayAddress} may still forward ${port}: ${reason}`,
    hint: 'run network:forward-port --remove in that network, or delete port-mapping.json in the data directory if that gateway is no longer used',
    ...(cause !== undefined && { cause }),
  })
}
