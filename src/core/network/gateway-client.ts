/** NAT-PMP is RFC 6886. `upnp` is the Internet Gateway Device of the UPnP Forum, versions 1 and 2. */
export type GatewayProtocol = 'nat-pmp' | 'upnp'

/** The router of this machine. */
export type Gateway = Readonly<{
  /** IPv4 address of the router. */
  address: string
  /** IPv4 address of this machine in the network of the router. */
  localAddress: string
}>

export type MappingRequest = Readonly<{
  internalPort: number
  externalPort: number
  leaseSeconds: number
  /** Whether the mapping file says that this installation has this mapping already. Default: false. */
  isRenewal?: boolean
}>

export type MappingGrant = Readonly<{
  /** May differ from the requested port. */
  externalPort: number
  /** May differ from the requested lease; null: the lease does not expire. */
  leaseSeconds: number | null
  /** Seconds since the router lost its mappings for the last time, as in `GatewayState`. */
  epochSeconds: number | null
}>

export type GatewayState = Readonly<{
  /** IPv4 address; null: the router has none, or does not know it. */
  externalAddress: string | null
  /** Seconds since the router lost its mappings for the last time, usually since its start; null: the protocol does not report it. */
  epochSeconds: number | null
}>

export type MappedPort = Readonly<{ internalPort: number; externalPort: number }>

/** A mapping of the mapping file. */
export type RecordedMapping = MappedPort &
  Readonly<{
    /** IPv4 address to which the router forwards: the address of this machine when the mapping was opened. */
    internalAddress: string
    /** As in `MappingGrant`. */
    leaseSeconds: number | null
  }>

/** Client of a router, for one protocol (NAT-PMP or UPnP). Every call has a time limit of a few seconds. */
export type GatewayClient = Readonly<{
  protocol: GatewayProtocol
  gateway: Gateway
  /** @throws AppError `gateway_silent`, `gateway_refused`, `gateway_reply_invalid` */
  readState(signal?: AbortSignal): Promise<GatewayState>
  /**
   * Forwards a TCP port to this machine, or renews the lease. UPnP does not change an entry that Phlix did not make, even if it leads to
   * this machine.
   * @throws the errors of `deserializeGroup`; `external_port_taken`
   */
  map(request: MappingRequest, signal?: AbortSignal): Promise<MappingGrant>
  /** Whether the router still forwards the port to this machine; true if the protocol cannot report it. */
  isMapped(port: MappedPort, signal?: AbortSignal): Promise<boolean>
  /**
   * Ends the forwarding. UPnP does nothing for a port of another machine or program. NAT-PMP does not know who made a mapping: it ends the
   * mapping of this machine for the internal port.
   * @throws the errors of `deserializeGroup`; `gateway_refused`, also if the router does not report who uses the port, unless the mapping has no
   * end
   */
  unmap(mapping: RecordedMapping, signal?: AbortSignal): Promise<void>
}>

/** Waits for a router. Routers are near: what they do not answer within seconds, they do not answer. */
export type GatewayLimits = Readonly<{
  /** NAT-PMP: the wait after the first request; it doubles after each further one (RFC 6886, 3.1). */
  firstWaitMilliseconds: number
  /** NAT-PMP: the number of requests. */
  tries: number
  /** UPnP: the wait for replies to a search. */
  searchMilliseconds: number
  /** UPnP: time limit of one HTTP exchange. */
  exchangeMilliseconds: number
  /** Time limit of everything that opens a mapping. */
  totalMilliseconds: number
}>

/** Clients of the HTTP interface wait for 15 s. */
export const GATEWAY_LIMITS: GatewayLimits = {
  firstWaitMilliseconds: 250,
  tries: 4,
  searchMilliseconds: 3000,
  exchangeMilliseconds: 3000,
  totalMilliseconds: 13_000,
}
