import type { Connection } from '../platform/database/index.ts'
import type { CheckedConditions } from './item-filter.ts'
import { selectShelves, type Label, type Shelf } from './queries/tallies.ts'

/**
 * Where the items are that a filter means: libraries and levels. With `label` their counts are exactly how many of them there are;
 * without, the filter asks for more than is counted, and they only say where to look.
 */
export async function findShelves(
  connection: Connection,
  filter: CheckedConditions,
): Promise<{ shelves: Shelf[]; label: Label | undefined }> {
  const label = labelOf(filter)
  return { shelves: await selectShelves(connection, filter, label ?? { kind: 'items' }), label }
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
