import { createSocket, type Socket } from 'node:dgram'
import { untilAborted, withTimeLimit } from '../../platform/concurrency/index.ts'
import { networkErrors } from '../errors.ts'
import type { Gateway, GatewayLimits } from '../gateway-client.ts'
import { checkGatewayUrl } from './check-gateway-url.ts'

/** Address and port of SSDP (UPnP Device Architecture 2.0, 1). */
const [GROUP, PORT] = ['239.255.255.250', 1900]

/** Devices of version 2 also answer searches for version 1, though not all do. */
const DEVICES = [1, 2].map((version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`)

const MAX_REPLY_BYTES = 4096
const MULTICAST_HOPS = 2
const STATUS_LINE = /^HTTP\/1\.[01] 200\b/

/**
 * Searches the router with SSDP: by multicast, and directly, because firewalls drop replies to multicasts. Replies of other hosts are ignored.
 * @returns the address of its description, on the router itself
 * @throws AppError `gateway_silent`; `gateway_reply_invalid` if all its replies are; the signal's reason
 */
export async function searchGateway(
  { gateway, limits }: { gateway: Gateway; limits: GatewayLimits },
  signal?: AbortSignal,
): Promise<URL> {
  signal?.throwIfAborted()
  const socket = createSocket('udp4')
  let refusal: unknown
  try {
    const found = new Promise<URL>((resolve, reject) => {
      socket.once('error', reject)
      socket.on('message', (bytes, { address }) => {
        const location = address === gateway.address ? parseLocationHeader(bytes) : undefined
        if (location === undefined) return
        try {
          resolve(checkGatewayUrl(location, gateway))
        } catch (error) {
          refusal = error
        }
      })
    })
    found.catch(() => undefined)
    await bind(socket, gateway.localAddress)
    sendSearches(socket, gateway)
    const onTimeout = (): never => {
      throw refusal ?? silent(gateway)
    }
    const limited = withTimeLimit(found, { milliseconds: limits.searchMilliseconds, onTimeout })
    return await untilAborted(limited, signal)
  } finally {
    socket.close()
  }
}

function silent({ address }: Gateway): Error {
  return networkErrors.gateway_silent({ message: `The gateway ${address} does not answer searches of UPnP.` })
}

function bind(socket: Socket, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(0, address, () => resolve())
  })
}

/** Datagrams can be lost, so each one is sent twice. Networks without multicast are no failure. */
function sendSearches(socket: Socket, { address, localAddress }: Gateway): void {
  try {
    socket.setMulticastInterface(localAddress)
    socket.setMulticastTTL(MULTICAST_HOPS)
  } catch {
    // The direct search remains.
  }
  for (const target of [GROUP, address, GROUP, address]) {
    for (const device of DEVICES) socket.send(searchFor(device, target), PORT, target, () => undefined)
  }
}

function searchFor(device: string, target: string): string {
  const lines = [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${target}:${PORT}`,
    'MAN: "ssdp:discover"',
    ...(target === GROUP ? ['MX: 1'] : []),
    `ST: ${device}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** The header LOCATION of a reply to a search; undefined for other datagrams. */
export function parseLocationHeader(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_REPLY_BYTES) return undefined
  const [first = '', ...headers] = bytes.toString('latin1').split('\r\n')
  if (!STATUS_LINE.test(first)) return undefined
  const fields = headers.map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line] as const)
  if (!fields.some(([name, line]) => name === 'st' && line.includes(':InternetGatewayDevice:'))) return undefined
  const location = fields.find(([name]) => name === 'location')?.[1]
  return location?.slice(location.indexOf(':') + 1).trim()
}
