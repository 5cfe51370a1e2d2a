import type { Connection } from '../platform/database/index.ts'
import type { MetadataProviders } from './create-providers.ts'
import type { MatchableItem } from './matchable-item.ts'
import { countMatchable, selectMatchable, type Visit } from './queries/items.ts'
import type { RecentMisses } from './queries/misses.ts'

export type { Visit } from './queries/items.ts'
export type { RecentMisses } from './queries/misses.ts'

/** What a job visits: matching what is not matched, refreshing all, or only what is bare where nothing may be overwritten. */
export async function visitOf(
  { overwritesExisting }: Pick<MetadataProviders, 'overwritesExisting'>,
  { isForced }: { isForced: boolean },
): Promise<Visit> {
  if (!isForced) return 'unmatched'
  return (await overwritesExisting()) ? 'all' : 'bare'
}

type Place = { libraryId: string; visit: Visit; after: string | null; misses?: RecentMisses | undefined }

/** How many items of a library would be visited after this one, by id; null: from the first on. */
export async function countItemsToMatch(connection: Connection, place: Place): Promise<number> {
  return countMatchable(connection, place)
}

/** A page of them, by id. */
export async function listItemsToMatch(
  connection: Connection,
  page: Place & { limit: number },
): Promise<MatchableItem[]> {
  return selectMatchable(connection, page)
}
