import type { Connection } from '../platform/database/index.ts'
import type { MetadataProviders } from './create-providers.ts'
import type { MatchableItem } from './matchable-item.ts'
import { upsertMiss, type RecentMisses } from './queries/misses.ts'

/** How long a match that nobody asked for leaves alone what no provider knew: new films come into their lists day by day. */
const REST_DAYS = 7

const DAY_MILLISECONDS = 86_400_000

/** What a match that begins now, and that nobody asked for, leaves alone. */
export function recentMisses(providers: MetadataProviders, now: Date): RecentMisses {
  return { since: new Date(now.getTime() - REST_DAYS * DAY_MILLISECONDS), providers: namesOf(providers) }
}

/** Remembers what was looked for and that nobody knew it. Within a transaction. */
export async function recordMiss(
  connection: Connection,
  { item, providers, now }: { item: MatchableItem; providers: MetadataProviders; now: Date },
): Promise<void> {
  const { id: itemId, questionHash } = item
  await upsertMiss(connection, { itemId, questionHash, providers: namesOf(providers), askedAt: now })
}

function namesOf({ tmdb, tvdb }: MetadataProviders): string {
  return Object.entries({ tmdb, tvdb })
    .flatMap(([name, provider]) => (provider === undefined ? [] : [name]))
    .join(',')
}
