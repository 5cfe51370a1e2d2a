import { Agent, request as sendRequest, type IncomingMessage } from 'node:http'
import { connect, type NetConnectOpts } from 'node:net'
import type { Readable } from 'node:stream'
import { outboundErrors } from './errors.ts'

export type OwnServerRequest = {
  method: string
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export type OwnServerReply = {
  status: number
  /** As received, in order. */
  fields: readonly (readonly [name: string, value: string])[]
  /** Read as fast as the caller reads it. */
  body: Readable
}

/** The other end of a connection that a server has accepted. */
export type ConnectedPeer = { address: string | undefined; port: number | undefined }

/** HTTP from this process to its own server, for requests that did not arrive at the port of the server. */
export type OwnServerClient = {
  /**
   * @param signal ends the request and the reply
   * @throws AppError `outbound_unreachable`; the signal's reason
   */
  send(request: OwnServerRequest, signal: AbortSignal): Promise<OwnServerReply>
  /** Whether a connection that the server has accepted is one of this client. Nobody else can have its port while it is open. */
  isOwn(peer: ConnectedPeer): boolean
  /** Closes the connections. */
  close(): void
}

/** Idle connections that are kept. */
const IDLE_CONNECTIONS = 16

/** @param host an address of this machine, or the one for all addresses */
export function createOwnServerClient({ host, port }: { host: string; port: number }): OwnServerClient {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS })
  const ends = new Set<string>()
  agent.createConnection = (options) => {
    const socket = connect(options as NetConnectOpts)
    let end: string | undefined
    // Before anything is sent: the server must know the connection when it reads the request.
    socket.once('connect', () => {
      end = endOf({ address: socket.localAddress, port: socket.localPort })
      ends.add(end)
    })
    socket.once('close', () => end !== undefined && ends.delete(end))
    return socket
  }
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return {
    send: ({ method, path, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const request = sendRequest({ host: address, port, method, path, headers, agent, signal })
        request.once('response', (reply) => resolve(replyOf(reply)))
        // Errors after the reply are those of its body.
        request.on('error', (error) =>
          reject(
            signal.aborted
              ? (signal.reason as Error)
              : outboundErrors.outbound_unreachable({ message: 'The server does not answer itself.', cause: error }),
          ),
        )
        request.end(body)
      }),
    isOwn: (peer) => ends.has(endOf(peer)),
    close: () => agent.destroy(),
  }
}

/** A server that listens on all addresses sees IPv4 addresses as `::ffff:`. */
function endOf({ address = '', port = 0 }: ConnectedPeer): string {
  return `${address.replace(/^::ffff:/, '')} ${port}`
}

function replyOf(reply: IncomingMessage): OwnServerReply {
  const { rawHeaders } = reply
  const fields: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    fields.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  return { status: reply.statusCode ?? 0, fields, body: reply }
}
