import { enqueueItemEvents } from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { requestWithTimeout } from './request-with-timeout.ts'
import type { MetadataProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import type { TitleKind } from './provider-facts.ts'
import { getMatchTarget, resolveTitleKind } from './get-match-target.ts'
import { resolveTitle } from './resolve-item.ts'
import { writeResolution } from './write-resolution.ts'

export type AppliedMatch = {
  itemId: string
  kind: TitleKind
  tmdbId: number
  /** The number of seasons and episodes written together with the item. */
  childrenEnriched: number
}

/**
 * Matches an item with a title chosen by an administrator, a series with its seasons and episodes, and removes the data of earlier
 * matches. An episode or a season represents its series.
 * @param input.tmdbId a positive whole number, or its text
 * @throws AppError `metadata.bad_tmdb_id`, `media_item_not_found`, `metadata.tmdb_unconfigured`, `metadata.no_match`,
 * `metadata.tmdb_unreachable`
 */
export async function applyMatch(
  { db, clock, metadata }: { db: Database; clock: Clock; metadata: MetadataProviders },
  input: { itemId: string; tmdbId: unknown; type?: string | undefined },
): Promise<AppliedMatch> {
  const id = readTmdbId(input.tmdbId)
  const { item, matchable } = await getMatchTarget({ db }, input.itemId)
  const kind = resolveTitleKind(input.type, matchable)
  const resolution = await requestWithTimeout(metadata, async (tmdb, options) => {
    const facts = matchable === undefined ? undefined : await tmdb.readTitle({ kind, id: String(id) }, options)
    if (matchable === undefined || facts === undefined) throw metadataErrors.no_match()
    const title = { provider: tmdb, facts }
    return resolveTitle(db, { item: matchable, title, earlier: 'other_title' }, options)
  })
  await db.transaction(async (connection) => {
    await writeResolution(connection, { resolution, now: clock.now() })
    const change = { change: 'metadata_updated', libraryId: item.libraryId, itemIds: [resolution.item.id] } as const
    await enqueueItemEvents(connection, change, clock.now())
  })
  return { itemId: item.id, kind, tmdbId: id, childrenEnriched: resolution.rows.length - 1 }
}

const MAX_ID = 2_147_483_647

function readTmdbId(value: unknown): number {
  const id = typeof value === 'string' && /^\s*\d{1,10}\s*$/.test(value) ? Number(value) : value
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= MAX_ID) return id
  throw metadataErrors.bad_tmdb_id()
}
