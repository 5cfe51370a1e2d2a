import {
  catalogueErrors,
  findItems,
  findSimilarItems,
  listItems,
  type CatalogueCache,
  type SimilarItem,
} from '../catalogue/index.ts'
import { isRowId, type Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { insertDismissal, selectExcludedItems, selectRecommendationSeeds } from './queries.ts'

/** An item that a profile may like, with the reason. */
export type Recommendation = SimilarItem & { computedAt: Date }

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 50
/** The latest items are the most significant; more seeds cost more and change little. */
const MAX_SEEDS = 8
const PER_SEED = 30
const NEW_ITEMS = 100

/**
 * Items similar to those that a profile has liked or watched last; items similar to several of them first. A user without data gets the
 * items added last. Excluded are items that the profile has watched (also a series with one watched episode), dislikes or has dismissed.
 * @param input.limit default 20, clamped to 1…50
 */
export async function recommendItems(
  { db, clock, catalogueCache }: { db: Database; clock: Clock; catalogueCache: CatalogueCache },
  { profileId, limit: wanted = DEFAULT_LIMIT }: { profileId: string; limit?: number | undefined },
): Promise<Recommendation[]> {
  const limit = Math.min(Math.max(Math.trunc(wanted), 1), MAX_LIMIT)
  const seeds = await findItems({ db }, await selectRecommendationSeeds(db, { profileId, limit: MAX_SEEDS }))
  const combined = new Map<string, SimilarItem>()
  for (const seed of seeds) {
    for (const { item, score, reason } of await findSimilarItems(
      { db, catalogueCache },
      { item: seed, limit: PER_SEED },
    )) {
      const before = combined.get(item.id)
      // Scores combine like independent probabilities: two halves give three quarters, and the result never exceeds 1.
      const joined = before === undefined ? score : 1 - (1 - before.score) * (1 - score)
      combined.set(item.id, { item, score: Math.round(joined * 100) / 100, reason: before?.reason ?? reason })
    }
  }
  const all = combined.size > 0 ? [...combined.values()] : await listNewest(catalogueCache)
  const excluded = await selectExcludedItems(db, { profileId, itemIds: all.map(({ item }) => item.id) })
  const computedAt = clock.now()
  return all
    .filter(({ item }) => !excluded.has(item.id) && seeds.every(({ id }) => id !== item.id))
    .toSorted((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, limit)
    .map(({ item, score, reason }) => ({ item, score, reason, computedAt }))
}

async function listNewest(catalogueCache: CatalogueCache): Promise<SimilarItem[]> {
  const filter = { types: ['movie', 'series'], topLevel: true, sort: 'added', order: 'desc', limit: NEW_ITEMS }
  const { items } = await listItems({ catalogueCache }, filter)
  return items.map((item) => ({ item, score: 0, reason: 'Recently added' }))
}

/**
 * Excludes an item from the recommendations of a profile permanently. Idempotent.
 * @throws AppError `media_item_not_found`
 */
export async function dismissRecommendation(
  { db, clock }: { db: Database; clock: Clock },
  { profileId, itemId }: { profileId: string; itemId: string },
): Promise<void> {
  const isThere = isRowId(itemId) && (await insertDismissal(db, { profileId, itemId, now: clock.now() }))
  if (!isThere) throw catalogueErrors.media_item_not_found()
}
