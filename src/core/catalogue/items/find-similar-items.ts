import type { Database } from '../../platform/database/index.ts'
import type { CatalogueCache } from '../cache/catalogue-cache.ts'
import { findListedItems } from './find-items.ts'
import type { ListedItem, MediaItem } from '../item/media-item.ts'
import { selectSimilarItems } from '../queries/similar.ts'

/** An item that is similar to another one. */
export type SimilarItem = {
  item: ListedItem
  /** 0 to 1; higher if more is shared. */
  score: number
  /** A readable description of what is shared. */
  reason: string
}

const DEFAULT_LIMIT = 12
const MAX_LIMIT = 50
/** The weight that gives a score of one half: one person and one genre. */
const HALF_WEIGHT = 4

/**
 * Items of the same type and library that share people, or genres and time, with an item; the most similar first.
 * @param input.limit default 12, clamped to 1…50
 */
export async function findSimilarItems(
  { db, catalogueCache }: { db: Database; catalogueCache: CatalogueCache },
  { item, limit = DEFAULT_LIMIT }: { item: MediaItem; limit?: number | undefined },
): Promise<SimilarItem[]> {
  const similar = await selectSimilarItems(db, { ...item, limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_LIMIT) })
  const weights = new Map(similar.map(({ id, weight }) => [id, weight]))
  const items = await findListedItems({ catalogueCache }, [...weights.keys()])
  return items.map((other) => {
    const weight = weights.get(other.id) ?? 0
    return {
      item: other,
      score: Math.round((weight / (weight + HALF_WEIGHT)) * 100) / 100,
      reason: reasonFor(item, other),
    }
  })
}

function reasonFor(item: ListedItem, other: ListedItem): string {
  const [person] = [
    ...shared(item, other, 'actors'),
    ...shared(item, other, 'director'),
    ...shared(item, other, 'artist'),
  ]
  if (person !== undefined) return `With ${person}`
  const genres = shared(item, other, 'genres').slice(0, 2)
  return genres.length > 0 ? genres.join(', ') : `Like ${item.name}`
}

function shared(item: ListedItem, other: ListedItem, key: string): string[] {
  const known = new Set(wordsOf(item, key).map((word) => word.toLowerCase()))
  return wordsOf(other, key).filter((word) => known.has(word.toLowerCase()))
}

function wordsOf({ metadata }: ListedItem, key: string): string[] {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  return (Array.isArray(value) ? value : [value]).filter((word) => typeof word === 'string')
}
