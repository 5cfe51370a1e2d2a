import type { Connection } from '../platform/database/index.ts'
import { requestWithTimeout } from './request-with-timeout.ts'
import type { MetadataProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import type { TitleCandidate, TitleKind } from './provider-facts.ts'
import { getMatchTarget, resolveTitleKind, type MatchTarget } from './get-match-target.ts'

/** The search results for a person; `context` is the film or series that the item belongs to. */
export type MatchSearch = {
  results: TitleCandidate[]
  query: string
  kind: TitleKind
  context: { id: string; name: string; year: number | null; seasonNumber: number | null; episodeNumber: number | null }
}

const MAX_QUERY_LENGTH = 256

/**
 * Titles that an item may be, at most 20. Without a query the search uses the name and year of the item, and then the name alone if there
 * are no results.
 * @throws AppError `media_item_not_found`, `metadata.no_query`, `metadata.tmdb_unconfigured`, `metadata.tmdb_unreachable`
 */
export async function searchMatches(
  { db, metadata }: { db: Connection; metadata: MetadataProviders },
  input: { itemId: string; query?: string | undefined; year?: number | undefined; type?: string | undefined },
): Promise<MatchSearch> {
  const target = await getMatchTarget({ db }, input.itemId)
  const { item, matchable } = target
  const query = readQuery(input.query ?? matchable?.name ?? item.name)
  const kind = resolveTitleKind(input.type, matchable)
  const year = input.year ?? (input.query === undefined ? (matchable ?? item).year : null) ?? undefined
  const results = await requestWithTimeout(metadata, async (tmdb, options) => {
    const results = await tmdb.search({ kind, title: query, year }, options)
    if (results.length > 0 || year === undefined || input.year !== undefined) return results
    return tmdb.search({ kind, title: query }, options)
  })
  return { results, query, kind, context: contextOf(target) }
}

function readQuery(text: string): string {
  const query = Array.from(text.replaceAll('\0', '').toWellFormed().trim()).slice(0, MAX_QUERY_LENGTH).join('')
  if (query === '') throw metadataErrors.no_query()
  return query
}

function contextOf({ item, matchable }: MatchTarget): MatchSearch['context'] {
  const { id, name, year } = matchable ?? item
  return { id, name, year, seasonNumber: item.seasonNumber, episodeNumber: item.episodeNumber }
}
