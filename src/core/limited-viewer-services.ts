import { LRUCache } from 'lru-cache'
import {
  createLimitedConnections,
  findPoliciesInUse,
  findPolicyIdsOf,
  readAccessRule,
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
import type { MediaServices } from './media-services.ts'
import { createBatchLoader, isRowId, type Database } from './platform/database/index.ts'
import type { UrlSigner } from './platform/keys/index.ts'
import { playersVisibleTo, type Players } from './remote-control/index.ts'
import { requireTranscodeJob, type SegmentServer } from './streaming/index.ts'
import { watchGroupsVisibleTo, type WatchGroups } from './watch-together/index.ts'

/** Policies whose services are kept at a time; each has caches of its own. */
export const MAX_POLICIES = 16

/** The services of the daemon that are others for a limited account. */
type Limited = Readonly<{
  db: CoreServices['db']
  getLibraryPaths: MediaServices['getLibraryPaths']
  trickplay: MediaServices['trickplay']
  catalogueCache: CatalogueCache
  artworkCache: ArtworkAddressCache
  openMediaFile: OpenMediaFile
  openSegment: SegmentServer['open']
  signer: UrlSigner
  watchGroups: WatchGroups
  players: Players
}>

type Limitable = Limited &
  Pick<CoreServices, 'config' | 'log' | 'clock' | 'connectionUri'> &
  Pick<MediaServices, 'images'>

/** The services that stay the same: all others must be listed as limited. */
type Shared<Whole> = Readonly<Record<Exclude<keyof Whole, keyof Limited>, string>>

/** The services for accounts that see only a part of the server. */
export type LimitedViewerServices<Whole> = {
  /** The services of the accounts of a policy. They read only what the policy shows, and have their own caches and signed addresses. */
  servicesOf(policyId: number): Promise<Whole>
  /** Whether a profile of an active account has the policy now. Addresses that were signed for another one are refused. */
  isInUse(policyId: number): Promise<boolean>
  /** The policies of these profiles; null for profiles without limits. */
  policyIdsOf(profileIds: readonly string[]): Promise<ReadonlyMap<string, number | null>>
  /** Which of these profiles see all of these items. No limited profile sees an id without an item. */
  whoSeesItems(profileIds: readonly string[], itemIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Which of these profiles see a library. Profiles without limits see every id. */
  whoSeesLibrary(profileIds: readonly string[], libraryId: string): Promise<ReadonlySet<string>>
  /** Closes the connections. Idempotent. */
  close(): Promise<void>
}

/** Creates the services of limited accounts. Nothing is opened before the first request of such an account. */
export function createLimitedViewerServices<Whole extends Limitable>(
  whole: Whole,
  shared: Shared<Whole>,
): LimitedViewerServices<Whole> {
  const { db } = whole
  const connections = createLimitedConnections(whole)
  /** Services that are displaced can still be used: they hold no connections. */
  const entries = new LRUCache<number, Promise<Whole>>({ max: MAX_POLICIES })
  const findInUse = createBatchLoader((ids: number[]) => findPoliciesInUse(db, ids))

  async function open(policyId: number): Promise<Whole> {
    const policy = { id: policyId, rule: await readAccessRule(db, policyId) }
    return servicesFor(whole, { shared, db: connections.databaseOf(policy), policyId })
  }

  async function servicesOf(policyId: number): Promise<Whole> {
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
    const verdicts = new Map<number, boolean>()
    for (const id of limited) {
      const policy = { id, rule: await readAccessRule(db, id) }
      verdicts.set(id, await holds(connections.databaseForChecks(policy)))
    }
    return new Set([...policyIds].filter(([, id]) => id === null || verdicts.get(id) === true).map(([id]) => id))
  }

  return {
    servicesOf,
    isInUse: async (policyId) => (await findInUse(policyId)) !== undefined,
    policyIdsOf: (profileIds) => findPolicyIdsOf(db, profileIds),
    whoSeesItems(profileIds, itemIds) {
      const wanted = [...new Set(itemIds.map((id) => id.toLowerCase()))]
      const areIds = wanted.every((id) => isRowId(id))
      return profilesWhere(
        profileIds,
        async (pool) => areIds && (await seenItemIds(pool, wanted)).size === wanted.length,
      )
    },
    whoSeesLibrary: (profileIds, libraryId) =>
      profilesWhere(profileIds, async (pool) => (await seenLibraryIds(pool, [libraryId])).size > 0),
    close: () => connections.close(),
  }
}

/** Every service that reads items is made anew over the limited connections; only those that are listed as shared are kept. */
function servicesFor<Whole extends Limitable>(
  whole: Whole,
  { shared, db, policyId }: { shared: Shared<Whole>; db: Database; policyId: number },
): Whole {
  const catalogueCache = createCatalogueCache({ db })
  const getLibraryPaths = createGetLibraryPaths({ db })
  const limited: Limited = {
    db,
    catalogueCache,
    getLibraryPaths,
    artworkCache: createArtworkAddressCache({ db, catalogueCache }),
    openMediaFile: createOpenMediaFile({ db, getLibraryPaths }),
    openSegment: async (request, signal) => {
      await requireTranscodeJob(db, request.jobId)
      return whole.openSegment(request, signal)
    },
    trickplay: createTrickplayStore({ ...whole, db }),
    signer: whole.signer.forPolicy(policyId),
    watchGroups: watchGroupsVisibleTo(whole.watchGroups, async (itemIds) => {
      const wanted = [...new Set(itemIds.map((id) => id.toLowerCase()))]
      return wanted.every((id) => isRowId(id)) && (await seenItemIds(db, wanted)).size === wanted.length
    }),
    players: playersVisibleTo(whole.players, db),
  }
  const kept = Object.fromEntries(Object.entries(whole).filter(([name]) => Object.hasOwn(shared, name)))
  return Object.freeze({ ...(kept as Whole), ...limited })
}
