import type { CatalogueCache } from './catalogue-cache.ts'
import type { CheckedConditions } from './item-filter.ts'
import {
  selectFacetCounts,
  selectItemCounts,
  type CountedFacet,
  type FacetCount,
  type ItemCount,
  type CountKind,
} from './queries/counts.ts'

/**
 * Where the items are that a filter means: libraries and levels. With `label` their counts are exactly how many of them there are;
 * without, the filter asks for more than is counted, and they only say where to look.
 */
export async function findItemCounts(
  { db, getOrCompute }: CatalogueCache,
  filter: CheckedConditions,
): Promise<{ itemCounts: ItemCount[]; label: CountedFacet | undefined }> {
  const label = countedFacetOf(filter)
  const wanted = label ?? { kind: 'items' as const }
  const { libraryId, isTopLevel, types } = filter
  const question = `shelves ${JSON.stringify({ libraryId, isTopLevel, types, wanted })}`
  return { itemCounts: await getOrCompute(question, () => selectItemCounts(db, filter, wanted)), label }
}

/** Letters, years, genres or content ratings of what stands in a place, with their counts, in no order. */
export async function countFacets(
  { db, getOrCompute }: CatalogueCache,
  { libraryId, isTopLevel, types }: CheckedConditions,
  kind: CountKind,
): Promise<FacetCount[]> {
  const place = { libraryId, isTopLevel, types }
  return getOrCompute(`${kind} of ${JSON.stringify(place)}`, () => selectFacetCounts(db, place, kind))
}

/** How many items there are on some shelves. */
export function countOf(itemCounts: readonly ItemCount[]): number {
  return itemCounts.reduce((sum, { count }) => sum + count, 0)
}

/** What answers the filter without looking at items; undefined when nothing that is counted does. */
export function countedFacetOf({
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
