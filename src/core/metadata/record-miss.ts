import type { Connection } from '../platform/database/index.ts'
import type { TitleProviders } from './create-providers.ts'
import type { MatchableItem } from './matchable-item.ts'
import { upsertMiss, type RecentMisses } from './queries/misses.ts'

/** How long an automatic match skips an item after an unsuccessful search. Providers add new films daily. */
const MISS_RETRY_DAYS = 7

const DAY_MILLISECONDS = 86_400_000

/** The unsuccessful searches that an automatic match skips when it begins now. */
export function createRecentMissFilter(providers: TitleProviders, now: Date): RecentMisses {
  return { since: new Date(now.getTime() - MISS_RETRY_DAYS * DAY_MILLISECONDS), providers: namesOf(providers) }
}

/** Stores that a search for an item had no result. Within a transaction. */
export async function recordMiss(
  connection: Connection,
  { item, providers, now }: { item: MatchableItem; providers: TitleProviders; now: Date },
): Promise<void> {
  const { id: itemId, questionHash } = item
  await upsertMiss(connection, { itemId, questionHash, providers: namesOf(providers), askedAt: now })
}

function namesOf({ tmdb, tvdb, others }: TitleProviders): string {
  const own = Object.entries({ tmdb, tvdb }).flatMap(([name, provider]) => (provider === undefined ? [] : [name]))
  return [...own, ...others().map(({ name }) => name)].join(',')
}
