import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { networkErrors } from '../errors.ts'
import type { Gateway, GatewayLimits } from '../gateway-client.ts'
import { parseNatPmpReply, type NatPmpReply, type Opcode } from './messages.ts'

/** The port of RFC 6886. */
const PORT = 5351

type Exchange = { gateway: Gateway; limits: GatewayLimits; request: Buffer; opcode: Opcode }

/**
 * Sends a request until the router replies. The socket is connected, so that the kernel drops the datagrams of all other hosts. Datagrams
 * that are no replies are ignored.
 * @throws AppError `gateway_silent`; the signal's reason
 */
export async function requestNatPmp(exchange: Exchange, signal?: AbortSignal): Promise<NatPmpReply> {
  signal?.throwIfAborted()
  const socket = createSocket('udp4')
  const ended = new AbortController()
  try {
    const replied = replyOn(socket, exchange.opcode)
    // Either may fail after the other one has decided.
    replied.catch(() => undefined)
    await connect(socket, exchange.gateway.address)
    const silent = sendRepeatedly(socket, exchange, AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]))
    silent.catch(() => undefined)
    return await Promise.race([replied, silent])
  } catch (error) {
    signal?.throwIfAborted()
    throw networkErrors.gateway_silent({
      message: `The gateway ${exchange.gateway.address} does not answer NAT-PMP.`,
      cause: error,
    })
  } finally {
    ended.abort()
    socket.close()
  }
}

function connect(socket: Socket, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(PORT, address, () => resolve())
  })
}

/** The first reply; fails if the router rejects the datagrams (ICMP port unreachable). */
function replyOn(socket: Socket, opcode: Opcode): Promise<NatPmpReply> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (bytes) => {
      const reply = parseNatPmpReply(bytes, opcode)
      if (reply !== undefined) resolve(reply)
    })
  })
}

/** @throws always: when the waits are over, or when the signal aborts */
async function sendRepeatedly(
  socket: Socket,
  { request, limits }: Pick<Exchange, 'request' | 'limits'>,
  signal: AbortSignal,
): Promise<never> {
  for (let tried = 0; tried < limits.tries; tried += 1) {
    // Failures are handled by the `error` event of the socket.
    socket.send(request, () => undefined)
    await pause(limits.firstWaitMilliseconds * 2 ** tried, undefined, { signal })
  }
  throw new Error('no reply')
}
