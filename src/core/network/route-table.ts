import { endianness } from 'node:os'

/** Flags of a route (route(8)): it is usable, and its destination is reached through a gateway. */
const [UP, GATEWAY] = [0x1, 0x2]

/**
 * The gateway of the default route with the lowest metric, from the text of /proc/net/route. Undefined if there is none.
 * @returns IPv4 address
 */
export function parseDefaultGateway(routeTable: string, byteOrder: 'LE' | 'BE' = endianness()): string | undefined {
  const routes = routeTable.split('\n').flatMap((line) => {
    const [, destination, gateway, flagText, , , metricText, mask] = line.trim().split(/\s/)
    const isDefault = destination === '00000000' && mask === '00000000'
    const flags = Number.parseInt(flagText ?? '', 16)
    if (!isDefault || gateway === undefined || (flags & UP) === 0 || (flags & GATEWAY) === 0) return []
    const address = addressOf(gateway, byteOrder)
    return address === undefined ? [] : [{ address, metric: Number(metricText) }]
  })
  return routes.toSorted((a, b) => a.metric - b.metric)[0]?.address
}

/** The kernel prints the 32 bits of an address, which are in network order, as a number of the machine. */
function addressOf(hexadecimal: string, byteOrder: 'LE' | 'BE'): string | undefined {
  if (!/^[0-9A-F]{8}$/i.test(hexadecimal) || /^0+$/.test(hexadecimal)) return undefined
  const bytes = [...Buffer.from(hexadecimal, 'hex')]
  return (byteOrder === 'LE' ? bytes.toReversed() : bytes).join('.')
}
