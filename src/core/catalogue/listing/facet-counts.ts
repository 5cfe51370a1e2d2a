import type { CurrentCatalogue } from '../cache/catalogue-cache.ts'
import type { CheckedConditions } from '../filter/item-filter.ts'
import {
  selectFacetCounts,
  selectItemCounts,
  type CountedFacet,
  type FacetCount,
  type ItemCount,
  type CountKind,
} from '../queries/counts.ts'

/**
 * The partitions (library and level) that can contain items of the filter. If `label` is set, their counts are the exact number of matching
 * items. Otherwise the filter has conditions that are not counted, and the partitions only limit where to search.
 */
export async function findItemCounts(
  { db, getOrCompute }: CurrentCatalogue,
  filter: CheckedConditions,
): Promise<{ itemCounts: ItemCount[]; label: CountedFacet | undefined }> {
  const label = findStoredCountFacet(filter)
  const wanted = label ?? { kind: 'items' as const }
  const { libraryId, isTopLevel, types } = filter
  const key = `partitions ${JSON.stringify({ libraryId, isTopLevel, types, wanted })}`
  return { itemCounts: await getOrCompute(key, () => selectItemCounts(db, filter, wanted)), label }
}

/** Letters, years, genres or content ratings of the items of one place, with their counts, in no order. */
export async function countFacets(
  { db, getOrCompute }: CurrentCatalogue,
  { libraryId, isTopLevel, types }: CheckedConditions,
  kind: CountKind,
): Promise<FacetCount[]> {
  const place = { libraryId, isTopLevel, types }
  return getOrCompute(`${kind} of ${JSON.stringify(place)}`, () => selectFacetCounts(db, place, kind))
}

/** The sum of the counts of some partitions. */
export function sumCounts(itemCounts: readonly ItemCount[]): number {
  return itemCounts.reduce((sum, { count }) => sum + count, 0)
}

/** The count table that contains the counts of the filter, so that no items are read. Undefined if none does. */
export function findStoredCountFacet({
  parentId,
  search,
  facets,
  years,
  votes,
  ranks,
  isMatched,
}: CheckedConditions): CountedFacet | undefined {
  if ([parentId, search, votes, ranks, isMatched].some((asked) => asked !== undefined)) return undefined
  const [facet, ...more] = facets
  if (more.length > 0 || (facet !== undefined && years !== undefined)) return undefined
  if (facet === undefined) return years === undefined ? { kind: 'items' } : { kind: 'year', ...years }
  // An item has several genres, and would be counted for each; it has one content rating.
  if (facet.kind === 'g' && facet.values.length === 1) return { kind: 'genre', values: facet.values }
  return facet.kind === 'r' ? { kind: 'rating', values: facet.values } : undefined
}
