import { LRUCache } from 'lru-cache'
import { asMainProfile, getAccount, type Account, type SignedInAccount } from '../accounts/index.ts'
import { createBatchLoader, type Database } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { createProcessCounts, rateLimitedError } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ApiKey } from './api-key.ts'
import { apiKeyDigest, isApiKeyText } from './key-text.ts'
import { selectKeysByDigest, updateKeyUse } from './queries.ts'

/** An active key, and the account that owns it. A key acts as the main profile. */
export type KeyAccount = { account: SignedInAccount; apiKey: ApiKey }

export type KeyAccounts = {
  /**
   * The account of a key that has not expired and whose owner is active, else undefined. The use is counted, and stored at most once a minute.
   * @param input.usedFrom address of the client
   * @throws AppError `rate_limited` after 600 requests of the key in 60 s in this process
   */
  use(input: { key: string; usedFrom: string }): Promise<KeyAccount | undefined>
  /** Whether a key may still be used. */
  isUsable(key: string): Promise<boolean>
}

const MAX_REQUESTS = 600
const WINDOW_SECONDS = 60
const WRITE_INTERVAL_MILLISECONDS = 60_000
const REMEMBERED_KEYS = 1000

/** Creates the reader of keys. It runs for every request with a key, so concurrent requests share a query. */
export function createKeyAccounts({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): KeyAccounts {
  const read = createBatchLoader((digests: string[]) => selectKeysByDigest(db, digests))
  const counts = createProcessCounts({ clock }, { windowSeconds: WINDOW_SECONDS })
  /** When the last use of a key was last written by this process, in milliseconds: requests at the same time have read an older time. */
  const writtenAt = new LRUCache<string, number>({ max: REMEMBERED_KEYS })

  async function find(key: string): Promise<KeyAccount | undefined> {
    if (!isApiKeyText(key)) return undefined
    const apiKey = await read(apiKeyDigest(key).toString('hex'))
    if (apiKey === undefined || (apiKey.expiresAt !== null && apiKey.expiresAt <= clock.now())) return undefined
    const account = await ownerOf(apiKey)
    return account?.status === 'active' ? { account: asMainProfile(account), apiKey } : undefined
  }

  /** Undefined for an account that was deleted meanwhile, and its key with it. */
  async function ownerOf({ accountId }: ApiKey): Promise<Account | undefined> {
    try {
      return await getAccount({ db }, { accountId })
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined
      throw error
    }
  }

  async function writeUse({ id }: ApiKey, address: string): Promise<void> {
    const now = clock.now()
    writtenAt.set(id, now.getTime())
    try {
      await updateKeyUse(db, { id, address, now, before: new Date(now.getTime() - WRITE_INTERVAL_MILLISECONDS) })
    } catch (error) {
      // The request does not depend on it.
      log.warning({ keyId: id, reason: describeError(error) }, 'the last use of an API key was not stored')
    }
  }

  return {
    async use({ key, usedFrom }) {
      const keyAccount = await find(key)
      if (keyAccount === undefined) return undefined
      const { id, lastUsedAt } = keyAccount.apiKey
      const { hits, millisecondsLeft } = counts.countHit(id)
      if (hits > MAX_REQUESTS) throw rateLimitedError(millisecondsLeft)
      const knownUse = Math.max(lastUsedAt?.getTime() ?? -Infinity, writtenAt.get(id) ?? -Infinity)
      if (clock.now().getTime() - knownUse >= WRITE_INTERVAL_MILLISECONDS) await writeUse(keyAccount.apiKey, usedFrom)
      return keyAccount
    },
    isUsable: async (key) => (await find(key)) !== undefined,
  }
}
