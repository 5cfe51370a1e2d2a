import type { NetworkStatus } from '../../../core/network/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

/** The state of port forwarding in a few lines; the last one says in words whether the server can be reached. */
export function describeNetwork(status: NetworkStatus, expiresAt: Date | null): string {
  const { isEnabled, gateway, protocol, externalAddress } = status
  const rows: [string, string][] = [
    ['forwarding', isEnabled ? 'on' : 'off'],
    ['gateway', gateway === null ? 'does not answer' : `${gateway.address}, this machine is ${gateway.localAddress}`],
    ['protocol', protocol === null ? 'none' : NAMES[protocol]],
    ['external', externalAddress ?? 'unknown'],
    ['mapping', describeMapping(status, expiresAt)],
    ['reachable', describeReachability(status)],
  ]
  return rows.map(([name, text]) => `${name.padEnd(12)}${text}`).join('\n')
}

const NAMES = { 'nat-pmp': 'NAT-PMP', upnp: 'UPnP' } as const

function describeMapping({ mapping }: NetworkStatus, expiresAt: Date | null): string {
  if (mapping === null) return 'none'
  const { externalPort, internalAddress, internalPort } = mapping
  const end = expiresAt === null ? 'without an end' : `until ${toIsoTimestamp(expiresAt)}`
  return `port ${externalPort} to ${internalAddress}:${internalPort}, ${end}`
}

function describeReachability(status: NetworkStatus): string {
  const { isEnabled, isServerRunning, gateway, externalAddress, reach, mapping, problem } = status
  if (gateway === null) return `not known: ${problem ?? 'no router answers'}`
  if (reach === 'double_nat') {
    return `no: ${externalAddress} is a private address, so another router is in front of the gateway (double NAT); forward the port there as well, or use the gateway as a bridge`
  }
  if (reach === 'carrier_nat') {
    return `no: the provider shares ${externalAddress} among customers (carrier-grade NAT); ask for a public address, or use IPv6 or a tunnel`
  }
  if (reach === 'no_address') return 'no: the gateway has no external address'
  if (mapping === null) {
    return isEnabled ? 'no: the gateway forwards no port; phlix serve opens it' : 'no: phlix network:forward-port'
  }
  const address = `http://${externalAddress}:${mapping.externalPort}`
  return isServerRunning
    ? `at ${address}, unless the provider blocks the port: try it from another network`
    : `no: the server does not run; with it at ${address}`
}
