import type { CatalogueCache } from '../cache/catalogue-cache.ts'
import { checkConditions } from '../filter/item-filter.ts'
import type { FacetCount } from '../queries/counts.ts'
import { countFacets } from './facet-counts.ts'

/** The facet values that a library can be filtered by, in alphabetical order. */
export type FilterValues = { genres: string[]; ratings: string[] }

/**
 * Genres and content ratings of a library, or of all libraries. Among several spellings of a value the most frequent is returned, because
 * the filter does not distinguish them.
 * @throws AppError `invalid_request`
 */
export async function listFilterValues(
  { catalogueCache }: { catalogueCache: CatalogueCache },
  input: { libraryId?: string | undefined },
): Promise<FilterValues> {
  const place = checkConditions(input)
  const cache = await catalogueCache.open()
  const [genres, ratings] = [await countFacets(cache, place, 'genre'), await countFacets(cache, place, 'rating')]
  return { genres: uniqueSpellings(genres), ratings: uniqueSpellings(ratings) }
}

function uniqueSpellings(counts: readonly FacetCount[]): string[] {
  const spellings = new Map<string, string>()
  for (const { label } of counts.toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))) {
    const key = label.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
    if (!spellings.has(key)) spellings.set(key, label)
  }
  return [...spellings].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label)
}
