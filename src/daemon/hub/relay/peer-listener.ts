import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { HubServices } from '../../../core/hub/index.ts'
import { findPeerKey, PEER_SESSION_OPTIONS, PEER_TLS } from '../../../core/hub-relay/index.ts'
import { systemErrorCode } from '../../../core/platform/errors/index.ts'
import { openConnectionWindow, SERVER_SESSION_OPTIONS } from '../../../core/relay-protocol/index.ts'
import { startListeningServer } from '../../start-listening.ts'
import type { ProcessRelay } from './open-relay.ts'

type Parts = {
  services: Pick<HubServices, 'config' | 'log' | 'peerKeys'>
  relay: Pick<ProcessRelay, 'pass' | 'processId'>
}

/** The port to which other processes of the hub connect. */
export type PeerListener = {
  /** Takes no more requests; running ones may finish within the limit. */
  close(limitMilliseconds: number): Promise<void>
}

const HANDSHAKE_MILLISECONDS = 5000

/**
 * Listens on `hub.peer_port`, if it is set. A connection needs the key of both processes; everything else ends in the handshake.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function startPeerListener(parts: Parts): Promise<PeerListener> {
  const { 'hub.peer_host': host, 'hub.peer_port': port } = parts.services.config.options
  if (port === 0) return { close: async () => undefined }
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer(parts, sessions)
  await startListeningServer(server, { host, port, option: 'hub.peer_port' })
  return {
    async close(limitMilliseconds) {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const session of sessions) session.close()
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy(undefined, constants.NGHTTP2_CANCEL)
      }, limitMilliseconds)
      await closed
      clearTimeout(timer)
    },
  }
}

function createServer({ services, relay }: Parts, sessions: Set<ServerHttp2Session>): Http2SecureServer {
  const log = services.log.child({ domain: 'relay' })
  const server = createSecureServer({
    ...SERVER_SESSION_OPTIONS,
    ...PEER_SESSION_OPTIONS,
    ...PEER_TLS,
    handshakeTimeout: HANDSHAKE_MILLISECONDS,
    pskCallback: (_socket, identity) => findPeerKey(services.peerKeys, { identity, own: relay.processId }),
  })
  server.on('session', (session) => {
    sessions.add(session)
    openConnectionWindow(session)
    // Errors are followed by `close`.
    session.on('error', () => undefined)
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers, flags) => void relay.pass({ stream, headers, flags }))
  server.on('tlsClientError', (error, { remoteAddress }) => {
    log.info(
      { client: remoteAddress, code: systemErrorCode(error) },
      'a connection to the port of processes was refused',
    )
  })
  return server
}
