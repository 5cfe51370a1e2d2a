import { stat } from 'node:fs/promises'
import type { Config } from '../config/index.ts'
import { describeError, systemErrorCode } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import { readServerKey, serverKeyPath } from './server-key-file.ts'
import { publicJwk, type PublicJwk } from './server-key.ts'

export type KeySet = {
  /** The public keys of the server; empty when its key file cannot be used. Never throws. */
  publicKeys(): Promise<PublicJwk[]>
}

/**
 * The public key set of a running daemon. The file is checked at every request, so that a rotated or repaired key is used without a
 * restart, but it is read only after a change. A failure is logged once, not per request.
 */
export function createKeySet({ config, log }: { config: Config; log: Logger }): KeySet {
  const path = serverKeyPath(config)
  let kept: { identity: string; keys: PublicJwk[] } | undefined
  let loggedFailure: string | undefined

  return {
    async publicKeys() {
      const identity = await identityOf(path)
      if (kept?.identity === identity) return kept.keys
      try {
        kept = { identity, keys: [publicJwk(await readServerKey({ config }))] }
        loggedFailure = undefined
        return kept.keys
      } catch (error) {
        const reason = describeError(error)
        if (reason !== loggedFailure) log.error({ reason }, 'the public key set is empty')
        loggedFailure = reason
        return []
      }
    },
  }
}

/**
 * A text that changes with the file: the inode changes with a replacement, the change time with a modification of the content or the mode.
 */
async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, ctimeNs } = await stat(path, { bigint: true })
    return [dev, ino, size, ctimeNs].join(':')
  } catch (error) {
    return systemErrorCode(error) ?? describeError(error)
  }
}
