import type { DirectoryEvent, RelayDirectory } from '../hub/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** A token is used for this time, a third of its validity. */
const USED_MILLISECONDS = 300_000

/** Tokens that are kept; the oldest is forgotten first. */
const MAX_TOKENS = 10_000

/** The tokens with which requests of users are authenticated at home servers, each for several requests. */
export type ServerTokens = {
  of(input: { userId: string; serverId: string }): Promise<string>
  /** Discards a token that a home server has refused. */
  refuse(input: { userId: string; serverId: string; token: string }): Promise<void>
  /** Discards the tokens of lost access. */
  discard(event: DirectoryEvent): void
}

type Minted = { serverId: string; userId: string; token: Promise<string>; mintedAtMilliseconds: number }

export function createServerTokens({ directory, clock }: { directory: RelayDirectory; clock: Clock }): ServerTokens {
  const minted = new Map<string, Minted>()
  return {
    of({ userId, serverId }) {
      const key = `${userId} ${serverId}`
      const now = clock.monotonicMilliseconds()
      const known = minted.get(key)
      if (known !== undefined && now - known.mintedAtMilliseconds < USED_MILLISECONDS) return known.token
      const token = directory.issueServerToken({ userId, serverId })
      minted.delete(key)
      minted.set(key, { serverId, userId, token, mintedAtMilliseconds: now })
      token.catch(() => {
        if (minted.get(key)?.token === token) minted.delete(key)
      })
      const [oldest] = minted.keys()
      if (minted.size > MAX_TOKENS && oldest !== undefined) minted.delete(oldest)
      return token
    },
    async refuse({ userId, serverId, token }) {
      const key = `${userId} ${serverId}`
      const known = minted.get(key)
      // Concurrent requests have the same token: the second refusal does not discard its successor.
      const isSame = (await known?.token.catch(() => undefined)) === token
      if (isSame && minted.get(key) === known) minted.delete(key)
    },
    discard(event) {
      if (event.kind === 'tunnel_replaced' || event.kind === 'server_renewed') return
      if (event.kind === 'events_missed') return minted.clear()
      for (const [key, { serverId, userId }] of minted) {
        const isLost = event.kind === 'server_revoked' || event.userId === userId
        if (serverId === event.serverId && isLost) minted.delete(key)
      }
    },
  }
}
