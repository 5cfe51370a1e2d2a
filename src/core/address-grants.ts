import { findSessionAccounts, mayDownload } from './accounts/index.ts'
import { findKeyHolders } from './api-keys/index.ts'
import type { CoreServices } from './core-services.ts'
import { startPeriodicTask } from './platform/concurrency/index.ts'
import { createBatchLoader } from './platform/database/index.ts'
import { describeError } from './platform/errors/index.ts'
import type { AddressGrant } from './platform/keys/index.ts'
import { findPlaybackLimits, type PlaybackLimits } from './playback-limits/index.ts'

/** Who holds a grant, what they may see and save now, and when and how much they may play. */
export type GrantHolder = { accountId: string; policyId: number | null; mayDownload: boolean; limits: PlaybackLimits }

/** For whom signed addresses of media are valid now. */
export type AddressGrants = {
  /**
   * The holder of a grant; undefined for a session that has ended, a key that was revoked or has expired, and an account that is not active.
   * Players ask for ranges and segments all the time: the answer comes from memory, and is at most about a second old. It is read again at
   * once if this process has changed the account.
   */
  holderOf(grant: AddressGrant): Promise<GrantHolder | undefined>
  /** Idempotent. */
  close(): Promise<void>
}

/** Grants that are in use are read together, in this interval. */
const READ_MILLISECONDS = 1000
/** An answer that is older is not used: the database could not be read meanwhile. */
const MAX_AGE_MILLISECONDS = 2000
/** A grant that was not used for this time is removed from the cache. */
const KEPT_MILLISECONDS = 30_000

type Person = Pick<GrantHolder, 'accountId' | 'policyId' | 'mayDownload'> & { profileId: string }

type Entry = { grant: AddressGrant; holder: GrantHolder | undefined; readAt: number; usedAt: number }

/** Creates the memory of grants of a process. */
export function createAddressGrants({
  db,
  clock,
  events,
  log,
}: Pick<CoreServices, 'db' | 'clock' | 'events' | 'log'>): AddressGrants {
  const entries = new Map<string, Entry>()
  const earlierLimits = (): Map<string, PlaybackLimits> =>
    new Map(
      [...entries.values()].flatMap(({ holder }) =>
        holder === undefined ? [] : [[holder.limits.profileId, holder.limits]],
      ),
    )

  async function read(grants: readonly AddressGrant[]): Promise<Map<string, GrantHolder>> {
    const idsOf = (kind: AddressGrant['kind']): string[] =>
      grants.filter((grant) => grant.kind === kind).map(({ id }) => id)
    const [sessionIds, keyIds] = [idsOf('s'), idsOf('k')]
    const sessions = sessionIds.length === 0 ? [] : await findSessionAccounts(db, sessionIds)
    const keys = keyIds.length === 0 ? [] : await findKeyHolders(db, { ids: keyIds, now: clock.now() })
    const people = new Map<string, Person>()
    for (const [id, { account }] of sessions) {
      if (account.status !== 'active') continue
      const { id: accountId, policyId, profile } = account
      people.set(`s${id}`, { accountId, profileId: profile.id, policyId, mayDownload: mayDownload(account) })
    }
    // A key acts as the main profile, whose id is that of the account.
    for (const { id, ...holder } of keys) people.set(`k${id}`, { ...holder, profileId: holder.accountId })
    return withLimits(people)
  }

  async function withLimits(people: ReadonlyMap<string, Person>): Promise<Map<string, GrantHolder>> {
    const profileIds = [...new Set([...people.values()].map(({ profileId }) => profileId))]
    if (profileIds.length === 0) return new Map()
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
    const limitsOf = await findPlaybackLimits(db, { profileIds, zone, earlier: earlierLimits() })
    const holders = new Map<string, GrantHolder>()
    for (const [name, { profileId, ...person }] of people) {
      const limits = limitsOf.get(profileId)
      if (limits !== undefined) holders.set(name, { ...person, limits })
    }
    return holders
  }

  const load = createBatchLoader((names: string[]) => read(names.map(grantOf)))

  async function readAgain(): Promise<void> {
    const now = clock.monotonicMilliseconds()
    for (const [name, { usedAt }] of entries) if (now - usedAt > KEPT_MILLISECONDS) entries.delete(name)
    if (entries.size === 0) return
    const asked = [...entries.values()]
    const holders = await read(asked.map(({ grant }) => grant))
    for (const entry of asked) {
      entry.holder = holders.get(nameOf(entry.grant))
      entry.readAt = now
    }
  }

  const task = startPeriodicTask({
    intervalMilliseconds: READ_MILLISECONDS,
    keepsProcessAlive: false,
    work: readAgain,
    onError: (error) => log.debug({ reason: describeError(error) }, 'the grants of addresses could not be read'),
  })
  const unsubscribe = events.subscribe('account.changed', ({ accountId }) => {
    for (const [name, { holder }] of entries) if (holder?.accountId === accountId) entries.delete(name)
  })

  return {
    async holderOf(grant) {
      const name = nameOf(grant)
      const now = clock.monotonicMilliseconds()
      const known = entries.get(name)
      if (known !== undefined && now - known.readAt <= MAX_AGE_MILLISECONDS) {
        known.usedAt = now
        return known.holder
      }
      const holder = await load(name)
      entries.set(name, { grant, holder, readAt: now, usedAt: now })
      return holder
    },
    async close() {
      unsubscribe()
      await task.stop()
    },
  }
}

function nameOf({ kind, id }: AddressGrant): string {
  return `${kind}${id}`
}

function grantOf(name: string): AddressGrant {
  return { kind: name.slice(0, 1) as AddressGrant['kind'], id: name.slice(1) }
}
