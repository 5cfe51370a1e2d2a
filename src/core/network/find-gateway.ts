import { createSocket } from 'node:dgram'
import { readFile } from 'node:fs/promises'
import type { Config } from '../platform/config/index.ts'
import { networkErrors } from './errors.ts'
import type { Gateway } from './gateway-client.ts'
import { parseDefaultGateway } from './route-table.ts'

const ROUTE_TABLE = '/proc/self/net/route'

/** Any port: connecting a datagram socket sends nothing. */
const DISCARD_PORT = 9

/**
 * Finds the router: the one that `network.gateway` names, else the gateway of the default route over IPv4.
 * @throws AppError `gateway_not_found`
 */
export async function findGateway({ config }: { config: Config }): Promise<Gateway> {
  const configured = config.options['network.gateway']
  const address = configured ?? parseDefaultGateway(await readFile(ROUTE_TABLE, 'utf8').catch(() => ''))
  if (address === undefined) {
    throw networkErrors.gateway_not_found({
      message: 'This machine has no default route over IPv4.',
      hint: 'set network.gateway to the address of the router',
    })
  }
  return { address, localAddress: await localAddressFor(address) }
}

/** The local address that the kernel chooses for packets to an address. */
async function localAddressFor(address: string): Promise<string> {
  const socket = createSocket('udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.connect(DISCARD_PORT, address, () => resolve())
    })
    return socket.address().address
  } catch (error) {
    throw networkErrors.gateway_not_found({ message: `There is no route to the gateway ${address}.`, cause: error })
  } finally {
    socket.close()
  }
}
