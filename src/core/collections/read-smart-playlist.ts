import type { Connection } from '../platform/database/index.ts'
import { getSmartPlaylist, smartPlaylistErrors } from '../smart-playlists/index.ts'
import { invalidField } from './collection.ts'

/**
 * Reads the smart playlist of a collection: one of its own library.
 * @returns null: none, the collection is filled by hand
 * @throws AppError `smart_playlist_not_found`, `invalid_request`
 */
export async function readSmartPlaylist(
  db: Connection,
  { libraryId, value }: { libraryId: string; value: unknown },
): Promise<string | null> {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw smartPlaylistErrors.smart_playlist_not_found()
  const playlist = await getSmartPlaylist({ db }, value)
  if (playlist.libraryId !== libraryId) throw invalidField('smart_playlist_id', 'is of another library')
  return playlist.id
}
