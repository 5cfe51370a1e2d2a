import { enqueueItemEvents } from '../catalogue/index.ts'
import { getLibrary, listLibraryRoots } from '../libraries/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { hasProvider, type MetadataProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import { getMatchTarget } from './get-match-target.ts'
import { resolveItem } from './resolve-item.ts'
import { preferredSourceNames } from './preferred-source-names.ts'
import { SET_KEY_HINT } from './set-key-hint.ts'
import { writeResolution } from './write-resolution.ts'

/** The item that was refreshed: the requested one, or the series that it belongs to. */
export type RefreshedItem = { itemId: string; name: string; rowsWritten: number }

/**
 * Requests one item from the providers again, a series with its seasons and episodes, as a refresh of its library does. An episode or a
 * season represents its series.
 * @throws AppError `media_item_not_found`, `metadata.tmdb_unconfigured`, `metadata.no_match`, the provider errors, and the reason of the
 * signal
 */
export async function refreshItem(
  { db, clock, metadata }: { db: Database; clock: Clock; metadata: MetadataProviders },
  { itemId }: { itemId: string },
  signal: AbortSignal,
): Promise<RefreshedItem> {
  const { item, matchable } = await getMatchTarget({ db }, itemId)
  if (!hasProvider(metadata)) throw metadataErrors.tmdb_unconfigured({ hint: SET_KEY_HINT })
  if (matchable === undefined) {
    throw metadataErrors.no_match({ message: `Providers are not asked about items of type ${item.type}` })
  }
  const roots = await listLibraryRoots({ db }, item.libraryId)
  const order = preferredSourceNames(await getLibrary({ db }, item.libraryId), matchable)
  const options = { signal, notBefore: clock.now() }
  const resolution = await resolveItem(
    { db, providers: metadata },
    { item: matchable, roots, isForced: true, order },
    options,
  )
  if (!resolution.isMatched) {
    throw metadataErrors.no_match({
      message: `No title matches ${matchable.name} with certainty`,
      hint: `phlix media:match ${item.id} --search`,
    })
  }
  await db.transaction(async (connection) => {
    await writeResolution(connection, { resolution, now: clock.now() })
    const change = { change: 'metadata_updated', libraryId: item.libraryId, itemIds: [matchable.id] } as const
    await enqueueItemEvents(connection, change, clock.now())
  })
  return { itemId: matchable.id, name: matchable.name, rowsWritten: resolution.rows.length }
}
