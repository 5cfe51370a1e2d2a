import { toIsoTimestamp } from '../platform/time/index.ts'
import type { SmartPlaylist } from '../smart-playlists/index.ts'

/** A smart playlist. `limit` 0 means no limit. */
export function smartPlaylistView(playlist: SmartPlaylist) {
  return {
    id: playlist.id,
    name: playlist.name,
    library_id: playlist.libraryId,
    rules_json: { ...playlist.rules },
    limit: playlist.limit,
    sort_by: playlist.sortBy,
    sort_desc: playlist.isDescending,
    created_at: toIsoTimestamp(playlist.createdAt),
    updated_at: toIsoTimestamp(playlist.updatedAt),
  }
}
