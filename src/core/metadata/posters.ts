import { setEditedPoster, setProviderArtwork } from '../artwork/index.ts'
import type { Database, Connection } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { requestWithTimeout } from './request-with-timeout.ts'
import type { MetadataProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import type { PosterCandidate } from './provider-facts.ts'
import { getMatchTarget } from './get-match-target.ts'
import { providerLookupIds } from './matchable-item.ts'
import { setChosenPoster } from './queries/posters.ts'

type Dependencies = { db: Connection; metadata: MetadataProviders }

/**
 * The posters that TMDB has of the matched title of an item; none for an unmatched item.
 * @throws AppError `media_item_not_found`, `metadata.tmdb_unconfigured`, `metadata.tmdb_unreachable`
 */
export async function listPosters({ db, metadata }: Dependencies, itemId: string): Promise<PosterCandidate[]> {
  const { matchable } = await getMatchTarget({ db }, itemId)
  return requestWithTimeout(metadata, async (tmdb, options) => {
    if (matchable === undefined) return []
    const { kind, ids } = providerLookupIds(matchable, matchable.localIds)
    return ids.tmdb === undefined ? [] : tmdb.listPosters({ kind, id: ids.tmdb }, options)
  })
}

/**
 * Sets the poster of an item to another one of its posters. A refresh keeps it; another match or clearing removes it. A picture file
 * beside the media still has priority; a picture uploaded by `editItem` is removed.
 * @throws the errors of `listPosters`; AppError `metadata.bad_poster`
 */
export async function choosePoster(
  { db, metadata, clock }: Dependencies & { db: Database; clock: Clock },
  { itemId, posterUrl }: { itemId: string; posterUrl: string },
): Promise<void> {
  const posters = await listPosters({ db, metadata }, itemId)
  if (!posters.some(({ url }) => url === posterUrl)) throw metadataErrors.bad_poster()
  const { matchable } = await getMatchTarget({ db }, itemId)
  const id = matchable?.id ?? itemId
  await db.transaction(async (connection) => {
    await setChosenPoster(connection, { itemId: id, url: posterUrl })
    await setProviderArtwork(connection, [{ itemId: id, kind: 'poster', url: posterUrl }])
    await setEditedPoster(connection, { itemId: id, poster: null, now: clock.now() })
  })
}
