import type { Connection } from '../platform/database/index.ts'
import { getSmartPlaylist, smartPlaylistErrors } from '../smart-playlists/index.ts'
import { invalidFieldError } from './collection.ts'

/**
 * Checks the smart playlist of a collection, which must belong to the same library.
 * @returns null if the collection has none, because it is filled by hand
 * @throws AppError `smart_playlist_not_found`, `invalid_request`
 */
export async function checkSmartPlaylist(
  db: Connection,
  { libraryId, value }: { libraryId: string; value: unknown },
): Promise<string | null> {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw smartPlaylistErrors.smart_playlist_not_found()
  const playlist = await getSmartPlaylist({ db }, value)
  if (playlist.libraryId !== libraryId) throw invalidFieldError('smart_playlist_id', 'is of another library')
  return playlist.id
}
