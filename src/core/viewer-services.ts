import { LRUCache } from 'lru-cache'
import {
  findPoliciesInUse,
  findPolicyIdsOf,
  openLimitedPool,
  ruleOf,
  seenItemIds,
  seenLibraryIds,
} from './access/index.ts'
import { createTrickplayStore } from './analysis/index.ts'
import { createArtworkAddressCache, type ArtworkAddressCache } from './artwork/index.ts'
import {
  createCatalogueCache,
  createOpenMediaFile,
  type CatalogueCache,
  type OpenMediaFile,
} from './catalogue/index.ts'
import type { CoreServices } from './core-services.ts'
import { createGetLibraryPaths } from './libraries/index.ts'
import { loggedClose } from './logged-close.ts'
import type { MediaServices } from './media-services.ts'
import { createBatchLoader, isId, type Database } from './platform/database/index.ts'
import type { UrlSigner } from './platform/keys/index.ts'
import { checkJob, type SegmentServer } from './streaming/index.ts'
import { limitWatchGroups, type WatchGroups } from './watch-together/index.ts'

/** Policies that are kept at a time; each has a pool and caches of its own. */
const MAX_POLICIES = 8

/** Longer than a request may take. Until then the pool of a policy that was displaced stays open. */
const CLOSE_MILLISECONDS = 600_000

/** The services of the daemon that are others for a limited account. */
type Limitable = Pick<CoreServices, 'config' | 'log' | 'clock' | 'db' | 'connectionUri'> &
  Pick<MediaServices, 'images' | 'trickplay' | 'getLibraryPaths'> &
  Readonly<{
    catalogueCache: CatalogueCache
    artworkCache: ArtworkAddressCache
    openMediaFile: OpenMediaFile
    openSegment: SegmentServer['open']
    signer: UrlSigner
    watchGroups: WatchGroups
  }>

/** The services for accounts that see only a part of the server. */
export type Viewers<Whole> = {
  /**
   * The services of the accounts of a policy: all that they read passes through it, and their caches and signed addresses are those of the
   * policy.
   */
  servicesOf(policyId: number): Promise<Whole>
  /** Whether a profile of an active account has the policy now. Addresses that were signed for another one are refused. */
  isInUse(policyId: number): Promise<boolean>
  /** Which of these profiles see all of these items. Ids without an item are seen by nobody who is limited. */
  whoSeesItems(profileIds: readonly string[], itemIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Which of these profiles see a library. Profiles without limits see every id. */
  whoSeesLibrary(profileIds: readonly string[], libraryId: string): Promise<ReadonlySet<string>>
  /** Closes the pools. Idempotent. */
  close(): Promise<void>
}

type Entry<Whole> = { db: Database; services: Whole }

/** Creates the services of limited accounts. Nothing is opened before the first of them asks for something. */
export function createViewers<Whole extends Limitable>(whole: Whole): Viewers<Whole> {
  const { db, log } = whole
  const pools = new Set<Database>()
  const entries = new LRUCache<number, Promise<Entry<Whole>>>({
    max: MAX_POLICIES,
    dispose: (entry) => closeLater(entry),
  })
  let isClosed = false
  const findInUse = createBatchLoader((ids: number[]) => findPoliciesInUse(db, ids))

  async function close(pool: Database): Promise<void> {
    if (pools.delete(pool)) await loggedClose(log, 'connections of an access policy', () => pool.end())()
  }

  function closeLater(entry: Promise<Entry<Whole>>): void {
    setTimeout(() => {
      entry.then(({ db: pool }) => close(pool)).catch(() => undefined)
    }, CLOSE_MILLISECONDS).unref()
  }

  async function open(policyId: number): Promise<Entry<Whole>> {
    const rule = await ruleOf(db, policyId)
    const pool = await openLimitedPool(whole, { id: policyId, rule })
    pools.add(pool)
    if (isClosed) await close(pool)
    return { db: pool, services: servicesFor(whole, { db: pool, policyId }) }
  }

  async function entryOf(policyId: number): Promise<Entry<Whole>> {
    const known = entries.get(policyId)
    if (known !== undefined) return known
    const opening = open(policyId)
    entries.set(policyId, opening)
    try {
      return await opening
    } catch (error) {
      if (entries.peek(policyId) === opening) entries.delete(policyId)
      throw error
    }
  }

  /** The profiles for which a condition holds; it is evaluated once for each policy, and always true without one. */
  async function profilesWhere(
    profileIds: readonly string[],
    holds: (pool: Database) => Promise<boolean>,
  ): Promise<ReadonlySet<string>> {
    const policyIds = await findPolicyIdsOf(db, [...new Set(profileIds)])
    const limited = [...new Set(policyIds.values())].filter((id) => id !== null)
    const verdicts = new Map(
      await Promise.all(limited.map(async (id) => [id, await holds((await entryOf(id)).db)] as const)),
    )
    return new Set([...policyIds].filter(([, id]) => id === null || verdicts.get(id) === true).map(([id]) => id))
  }

  return {
    servicesOf: async (policyId) => (await entryOf(policyId)).services,
    isInUse: async (policyId) => (await findInUse(policyId)) !== undefined,
    whoSeesItems(profileIds, itemIds) {
      const wanted = [...new Set(itemIds.map((id) => id.toLowerCase()))]
      const areIds = wanted.every((id) => isId(id))
      return profilesWhere(
        profileIds,
        async (pool) => areIds && (await seenItemIds(pool, wanted)).size === wanted.length,
      )
    },
    whoSeesLibrary: (profileIds, libraryId) =>
      profilesWhere(profileIds, async (pool) => (await seenLibraryIds(pool, [libraryId])).size > 0),
    async close() {
      isClosed = true
      await Promise.all([...pools].map(close))
    },
  }
}

/** Every service that reads the database itself is made anew over the limited pool; the others read only what they are given. */
function servicesFor<Whole extends Limitable>(
  whole: Whole,
  { db, policyId }: { db: Database; policyId: number },
): Whole {
  const catalogueCache = createCatalogueCache({ db })
  const getLibraryPaths = createGetLibraryPaths({ db })
  const limited: Limitable = {
    ...whole,
    db,
    catalogueCache,
    getLibraryPaths,
    artworkCache: createArtworkAddressCache({ db, catalogueCache }),
    openMediaFile: createOpenMediaFile({ db, getLibraryPaths }),
    openSegment: async (request, signal) => {
      await checkJob(db, request.jobId)
      return whole.openSegment(request, signal)
    },
    trickplay: createTrickplayStore({ ...whole, db }),
    signer: whole.signer.forPolicy(policyId),
    watchGroups: limitWatchGroups(whole.watchGroups, async (itemIds) => {
      const wanted = [...new Set(itemIds.map((id) => id.toLowerCase()))]
      return wanted.every((id) => isId(id)) && (await seenItemIds(db, wanted)).size === wanted.length
    }),
  }
  return Object.freeze({ ...whole, ...limited })
}
