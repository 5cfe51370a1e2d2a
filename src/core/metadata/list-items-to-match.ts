import type { Connection } from '../platform/database/index.ts'
import type { MetadataProviders } from './create-providers.ts'
import type { MatchableItem } from './matchable-item.ts'
import { countMatchable, selectMatchable, type MatchScope } from './queries/items.ts'
import type { RecentMisses } from './queries/misses.ts'

export type { MatchScope } from './queries/items.ts'
export type { RecentMisses } from './queries/misses.ts'

/**
 * The items that a job visits: a match visits unmatched items; a refresh visits all, or only those without metadata if overwriting is
 * disabled.
 */
export async function matchScopeForJob(
  { overwritesExisting }: Pick<MetadataProviders, 'overwritesExisting'>,
  { isForced }: { isForced: boolean },
): Promise<MatchScope> {
  if (!isForced) return 'unmatched'
  return (await overwritesExisting()) ? 'all' : 'bare'
}

type VisitRange = { libraryId: string; visit: MatchScope; after: string | null; misses?: RecentMisses | undefined }

/** The number of items of a library that a job visits after this one, by id; null: from the first on. */
export async function countItemsToMatch(connection: Connection, place: VisitRange): Promise<number> {
  return countMatchable(connection, place)
}

/** A page of these items, by id. */
export async function listItemsToMatch(
  connection: Connection,
  page: VisitRange & { limit: number },
): Promise<MatchableItem[]> {
  return selectMatchable(connection, page)
}
