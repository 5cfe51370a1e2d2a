import { hkdfSync } from 'node:crypto'

const KEY_BYTES = 32

/** A connection between two processes of a hub, by their ids. */
export type PeerPair = {
  /** The process that has opened it. */
  from: string
  to: string
}

/** The keys with which two processes of a hub prove to each other that they belong to it. */
export type PeerKeys = {
  /** The pre-shared key of one direction of one pair. */
  of(pair: PeerPair): Buffer
}

/**
 * Derives the keys by HKDF (RFC 5869) from the secret that all processes of a hub have. A key is bound to both processes: it opens no
 * connection to another one, and none in the other direction.
 */
export function createPeerKeys(secret: Buffer): PeerKeys {
  return {
    of: ({ from, to }) =>
      Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `phlix-hub-peers-v1 ${from} ${to}`, KEY_BYTES)),
  }
}
