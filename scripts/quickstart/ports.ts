import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { localAddress } from './ready-message.ts'
import { CommandFailure } from './phlix.ts'

const EXIT_UNAVAILABLE = 69
const EXIT_BUSY = 75
const EXIT_DENIED = 77
const LIMIT_MILLISECONDS = 2000

export type Port = { host: string | undefined; port: number; option: 'port' | 'websocket-port' }

/**
 * Checks that the server can listen on a port and that this machine reaches it there. Called before anything is prepared, because nothing
 * could be served otherwise.
 * @throws CommandFailure with exit code 69 without a loopback interface, 75 when another program listens, 77 when it is not permitted
 */
export async function requirePort({ host, port, option }: Port): Promise<void> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw await listenFailure(error, { host, port, option })
  }
  try {
    await requireReachable({ host, port })
  } finally {
    server.close()
  }
}

async function listenFailure(error: unknown, { host, port, option }: Port): Promise<CommandFailure> {
  const { code = '' } = error as NodeJS.ErrnoException
  const address = localAddress({ host, port })
  if (code !== 'EADDRINUSE') {
    const message = `Phlix cannot listen on ${address} (${code}): choose another --${option}, or --host.`
    return new CommandFailure({ code: 'address_not_permitted', message, exit: EXIT_DENIED })
  }
  const isServed = option === 'port' && (await isPhlix(address))
  const who = isServed ? `Phlix is served there already: ${address}` : 'another program listens there'
  const message = `Port ${port} is in use: ${who}. Stop it, or choose another with --${option}.`
  return new CommandFailure({ code: 'address_in_use', message, exit: EXIT_BUSY })
}

/** In a separate network namespace and in some containers the loopback interface is down. */
async function requireReachable({ host, port }: Omit<Port, 'option'>): Promise<void> {
  const address = localAddress({ host, port })
  const socket = connect({ host: new URL(address).hostname.replaceAll(/[[\]]/g, ''), port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) })
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException
    const message =
      `This machine does not reach itself at ${address} (${code}): the loopback interface is down or a firewall closes it. ` +
      'Bring it up with: sudo ip link set lo up'
    throw new CommandFailure({ code: 'no_loopback', message, exit: EXIT_UNAVAILABLE })
  } finally {
    socket.destroy()
  }
}

async function isPhlix(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) })).ok
  } catch {
    return false
  }
}
