import { isIPv4 } from 'node:net'
import { networkErrors } from '../errors.ts'
import type { GatewayClient, GatewayState, MappingRequest } from '../gateway-client.ts'
import { callUpnpService, UPNP_FAULTS, type CallOutcome } from './call-service.ts'
import { fetchWanServices, type WanService } from './description.ts'
import type { ExchangeContext } from './request-xml.ts'
import { searchGateway } from './search-gateway.ts'

/** The name of the mapping in the pages of the router. */
const DESCRIPTION = 'Phlix'

/** Faults that mean that another program or machine has the port. */
const TAKEN: ReadonlySet<number> = new Set([UPNP_FAULTS.conflict, UPNP_FAULTS.conflictWithOtherMechanism])

const REASONS: Readonly<Record<number, string>> = {
  [UPNP_FAULTS.notAuthorized]: 'port forwarding is not permitted by its settings (error 606)',
  [UPNP_FAULTS.noPortMapsAvailable]: 'it cannot forward more ports (error 728)',
}

type Entry = { client: string; port: number; isEnabled: boolean; description: string }

/**
 * Finds the router by UPnP, and its service that forwards ports; of several services, the first that has an external address.
 * @throws AppError `gateway_silent`, `gateway_reply_invalid`, `gateway_refused`
 */
export async function openUpnpClient(context: ExchangeContext, signal?: AbortSignal): Promise<GatewayClient> {
  const location = await searchGateway(context, signal)
  const services = await fetchWanServices(context, location, signal)
  return createUpnpClient(context, await chooseService(context, services, signal))
}

async function chooseService(
  context: ExchangeContext,
  services: readonly WanService[],
  signal: AbortSignal | undefined,
): Promise<WanService> {
  const [first] = services
  if (first === undefined) throw networkErrors.gateway_refused()
  if (services.length === 1) return first
  for (const service of services) {
    const outcome = await callUpnpService(context, service, { action: 'GetExternalIPAddress' }, signal)
    if (externalAddressOf(outcome) !== null) return service
  }
  return first
}

function createUpnpClient(context: ExchangeContext, service: WanService): GatewayClient {
  const { gateway } = context
  const call = (action: string, input: Readonly<Record<string, string | number>>, signal: AbortSignal | undefined) =>
    callUpnpService(context, service, { action, input }, signal)

  function refusal(code: number): Error {
    const reason = REASONS[code] ?? `error ${code}`
    return networkErrors.gateway_refused({ message: `The gateway ${gateway.address} refuses UPnP: ${reason}.` })
  }

  function taken(externalPort: number, entry?: Entry): Error {
    const isHere = entry?.client === gateway.localAddress
    const target = isHere
      ? 'this machine already, by a mapping that this server did not make'
      : 'another program or machine'
    const message = `The gateway ${gateway.address} forwards port ${externalPort} to ${target}.`
    return networkErrors.external_port_taken({ message })
  }

  /** The entry of an external port. Routers that do not implement this action, or implement it wrongly, do not return it. */
  async function findEntry(externalPort: number, signal: AbortSignal | undefined): Promise<Entry | 'none' | 'unknown'> {
    const outcome = await call('GetSpecificPortMappingEntry', keyOf(externalPort), signal)
    if (outcome.kind === 'fault') return outcome.code === UPNP_FAULTS.noSuchEntry ? 'none' : 'unknown'
    const { values } = outcome
    return {
      client: values.get('newinternalclient') ?? '',
      port: Number(values.get('newinternalport')),
      isEnabled: ['1', 'true', 'yes'].includes((values.get('newenabled') ?? '1').toLowerCase()),
      description: values.get('newportmappingdescription') ?? '',
    }
  }

  /** Some routers do not keep descriptions; then only the mapping file shows who made an entry. */
  function isOwn(
    entry: Entry,
    { client, port, isRecorded }: { client: string; port: number; isRecorded: boolean },
  ): boolean {
    const isNamed = entry.description === DESCRIPTION || (isRecorded && entry.description === '')
    return isNamed && entry.client === client && entry.port === port
  }

  const add = (request: MappingRequest, leaseSeconds: number, signal: AbortSignal | undefined): Promise<CallOutcome> =>
    call(
      'AddPortMapping',
      {
        ...keyOf(request.externalPort),
        NewInternalPort: request.internalPort,
        NewInternalClient: gateway.localAddress,
        NewEnabled: 1,
        NewPortMappingDescription: DESCRIPTION,
        NewLeaseDuration: leaseSeconds,
      },
      signal,
    )

  return {
    protocol: 'upnp',
    gateway,
    async readState(signal): Promise<GatewayState> {
      const outcome = await call('GetExternalIPAddress', {}, signal)
      return { externalAddress: externalAddressOf(outcome), epochSeconds: null }
    },
    async map(request, signal) {
      // Some routers replace the entry of another machine instead of reporting a conflict.
      const entry = await findEntry(request.externalPort, signal)
      const own = { client: gateway.localAddress, port: request.internalPort, isRecorded: request.isRenewal ?? false }
      if (typeof entry === 'object' && !isOwn(entry, own)) throw taken(request.externalPort, entry)
      let leaseSeconds: number | null = request.leaseSeconds
      let outcome = await add(request, leaseSeconds, signal)
      if (outcome.kind === 'fault' && outcome.code === UPNP_FAULTS.onlyPermanentLeases) {
        leaseSeconds = null
        outcome = await add(request, 0, signal)
      }
      if (outcome.kind === 'done') return { externalPort: request.externalPort, leaseSeconds, epochSeconds: null }
      throw TAKEN.has(outcome.code) ? taken(request.externalPort) : refusal(outcome.code)
    },
    async isMapped({ internalPort, externalPort }, signal) {
      const entry = await findEntry(externalPort, signal)
      if (typeof entry === 'string') return entry === 'unknown'
      return isOwn(entry, { client: gateway.localAddress, port: internalPort, isRecorded: true }) && entry.isEnabled
    },
    async unmap({ internalAddress, internalPort, externalPort, leaseSeconds }, signal) {
      const entry = await findEntry(externalPort, signal)
      if (entry === 'none') return
      const own = { client: internalAddress, port: internalPort, isRecorded: true }
      if (entry !== 'unknown' && !isOwn(entry, own)) return
      if (entry === 'unknown' && leaseSeconds !== null) {
        // The lease ends by itself, and since its end another machine may have the port.
        const message = `The gateway ${gateway.address} does not tell by UPnP whose port ${externalPort} is, so it was not closed.`
        throw networkErrors.gateway_refused({ message })
      }
      const outcome = await call('DeletePortMapping', keyOf(externalPort), signal)
      if (outcome.kind === 'fault' && outcome.code !== UPNP_FAULTS.noSuchEntry) throw refusal(outcome.code)
    },
  }
}

/** What identifies an entry. */
function keyOf(externalPort: number) {
  return { NewRemoteHost: '', NewExternalPort: externalPort, NewProtocol: 'TCP' }
}

function externalAddressOf(outcome: CallOutcome): string | null {
  const address = outcome.kind === 'done' ? (outcome.values.get('newexternalipaddress') ?? '') : ''
  return isIPv4(address) && address !== '0.0.0.0' ? address : null
}
