import { constants, type IncomingHttpHeaders } from 'node:http2'
import type { TlsOptions } from 'node:tls'
import type { PeerKeys, PeerPair } from '../../hub/index.ts'
import { CLIENT_SESSION_OPTIONS, type HeaderFields } from '../../relay-protocol/index.ts'

/**
 * TLS with a pre-shared key and an ephemeral key exchange (RFC 5489, RFC 7905). No certificate is accepted: in TLS 1.3 a server without the
 * key could present one.
 */
export const PEER_TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const satisfies TlsOptions

/** Requests for all home servers of a process share one connection. The limits for each server and each user are checked elsewhere. */
const MAX_STREAMS = 10_000

/** In MB. A viewer that does not read holds 2 MiB. */
const MAX_SESSION_MEMORY = 4096

/** For both ends. */
export const PEER_SESSION_OPTIONS = {
  settings: { ...CLIENT_SESSION_OPTIONS.settings, maxConcurrentStreams: MAX_STREAMS },
  maxSessionMemory: MAX_SESSION_MEMORY,
}

const PROCESS_ID = /^[0-9a-f-]{36}$/

export const formatPeerIdentity = ({ from, to }: PeerPair): string => `${from} ${to}`

/** The key of a client of the process `own`; null for a client that names another process or sends no ids. */
export function findPeerKey(keys: PeerKeys, { identity, own }: { identity: string; own: string }): Buffer | null {
  const [from = '', to = '', ...more] = identity.split(' ')
  return to === own && more.length === 0 && PROCESS_ID.test(from) ? keys.of({ from, to }) : null
}

const [SERVER, TUNNEL, USER] = ['x-phlix-hub-server', 'x-phlix-hub-tunnel', 'x-phlix-hub-user']

/** The tunnel through which another process sends a request, and the user for whose limit it counts. */
export type PeerTarget = { serverId: string; tunnelId: string; userId: string }

export function formatPeerTarget({ serverId, tunnelId, userId }: PeerTarget): HeaderFields {
  return { [SERVER]: serverId, [TUNNEL]: tunnelId, [USER]: userId }
}

export function parsePeerTarget(headers: IncomingHttpHeaders): PeerTarget {
  const textOf = (name: string): string => String(headers[name] ?? '')
  return { serverId: textOf(SERVER), tunnelId: textOf(TUNNEL), userId: textOf(USER) }
}

/** Sent for a request that was not begun: the sender reads again which process holds the tunnel. */
export const { NGHTTP2_REFUSED_STREAM: NOT_BEGUN } = constants
