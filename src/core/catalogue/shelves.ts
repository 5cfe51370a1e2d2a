import type { CatalogueMemory } from './catalogue-memory.ts'
import type { CheckedConditions } from './item-filter.ts'
import {
  selectLabels,
  selectShelves,
  type Label,
  type LabelCount,
  type Shelf,
  type TallyKind,
} from './queries/tallies.ts'

/**
 * Where the items are that a filter means: libraries and levels. With `label` their counts are exactly how many of them there are;
 * without, the filter asks for more than is counted, and they only say where to look.
 */
export async function findShelves(
  { db, remember }: CatalogueMemory,
  filter: CheckedConditions,
): Promise<{ shelves: Shelf[]; label: Label | undefined }> {
  const label = labelOf(filter)
  const wanted = label ?? { kind: 'items' as const }
  const { libraryId, isTopLevel, types } = filter
  const question = `shelves ${JSON.stringify({ libraryId, isTopLevel, types, wanted })}`
  return { shelves: await remember(question, () => selectShelves(db, filter, wanted)), label }
}

/** Letters, years, genres or content ratings of what stands in a place, with their counts, in no order. */
export async function countLabels(
  { db, remember }: CatalogueMemory,
  { libraryId, isTopLevel, types }: CheckedConditions,
  kind: TallyKind,
): Promise<LabelCount[]> {
  const place = { libraryId, isTopLevel, types }
  return remember(`${kind} of ${JSON.stringify(place)}`, () => selectLabels(db, place, kind))
}

/** How many items there are on some shelves. */
export function countOf(shelves: readonly Shelf[]): number {
  return shelves.reduce((sum, { count }) => sum + count, 0)
}

/** What answers the filter without looking at items; undefined when nothing that is counted does. */
export function labelOf({
  parentId,
  search,
  facets,
  years,
  votes,
  ranks,
  isMatched,
}: CheckedConditions): Label | undefined {
  if ([parentId, search, votes, ranks, isMatched].some((asked) => asked !== undefined)) return undefined
  const [facet, ...more] = facets
  if (more.length > 0 || (facet !== undefined && years !== undefined)) return undefined
  if (facet === undefined) return years === undefined ? { kind: 'items' } : { kind: 'year', ...years }
  // An item has several genres, and would be counted for each; it has one content rating.
  if (facet.kind === 'g' && facet.values.length === 1) return { kind: 'genre', values: facet.values }
  return facet.kind === 'r' ? { kind: 'rating', values: facet.values } : undefined
}
