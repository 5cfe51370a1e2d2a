import { connect, constants, type ClientHttp2Session } from 'node:http2'
import type { PeerKeys } from '../../hub/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { openConnectionWindow } from '../../relay-protocol/index.ts'
import { formatPeerIdentity, PEER_SESSION_OPTIONS, PEER_TLS } from './peer-protocol.ts'

/** Another process of the hub, as the directory names it. */
export type Peer = { processId: string; processAddress: string }

/** The connections of this process to others, one for each. */
export type PeerSessions = {
  /** Undefined for a process that has no address for others, and after `close`. */
  to(peer: Peer): ClientHttp2Session | undefined
  /** Lets running requests finish within the limit. */
  close(limitMilliseconds: number): void
}

const CONNECT_MILLISECONDS = 3000

/** A process that does not answer a PING in this time is dead, or cannot be reached. */
const PING_MILLISECONDS = 10_000

export function createPeerSessions(input: { processId: string; keys: PeerKeys; log: Logger }): PeerSessions {
  const { keys, log } = input
  const sessions = new Map<string, ClientHttp2Session>()
  /** Processes that were not reached: the log has one line for each. */
  const failing = new Set<string>()
  let isClosed = false

  function open({ processId, processAddress }: Peer): ClientHttp2Session {
    const pair = { from: input.processId, to: processId }
    const session = connect(processAddress, {
      ...PEER_SESSION_OPTIONS,
      ...PEER_TLS,
      pskCallback: () => ({ psk: keys.of(pair), identity: formatPeerIdentity(pair) }),
      // The key proves the process; there is no certificate.
      checkServerIdentity: () => undefined,
    })
    const terminate = (): void => session.destroy(undefined, constants.NGHTTP2_CANCEL)
    const connecting = setTimeout(terminate, CONNECT_MILLISECONDS)
    let limit: NodeJS.Timeout | undefined
    const pings = setInterval(() => {
      if (session.destroyed) return
      limit = setTimeout(terminate, PING_MILLISECONDS)
      session.ping(() => clearTimeout(limit))
    }, PING_MILLISECONDS * 2)
    const forget = (): void => {
      if (sessions.get(processId) === session) sessions.delete(processId)
    }
    session.once('connect', () => {
      clearTimeout(connecting)
      failing.delete(processId)
      openConnectionWindow(session)
    })
    session.once('goaway', forget)
    session.on('error', (error) => {
      if (failing.has(processId)) return
      failing.add(processId)
      log.warning({ processId, processAddress, reason: describeError(error) }, 'another process was not reached')
    })
    session.once('close', () => {
      clearTimeout(connecting)
      clearInterval(pings)
      clearTimeout(limit)
      forget()
    })
    return session
  }

  return {
    to(peer) {
      if (isClosed || !peer.processAddress.startsWith('https://')) return undefined
      const known = sessions.get(peer.processId)
      if (known !== undefined && !known.closed && !known.destroyed) return known
      const session = open(peer)
      sessions.set(peer.processId, session)
      return session
    },
    close(limitMilliseconds) {
      isClosed = true
      for (const session of sessions.values()) {
        session.close()
        const timer = setTimeout(() => session.destroy(undefined, constants.NGHTTP2_CANCEL), limitMilliseconds)
        session.once('close', () => clearTimeout(timer))
      }
    },
  }
}
