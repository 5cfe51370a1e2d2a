import { toIsoTimestamp } from '../platform/time/index.ts'
import type { SmartPlaylist, SmartPlaylistText } from '../smart-playlists/index.ts'

/** A smart playlist. `limit` 0 means no limit. */
export function smartPlaylistView(playlist: SmartPlaylist) {
  return { ...smartPlaylistFields(playlist), rules_json: { ...playlist.rules } }
}

/** A smart playlist whose rules are JSON text, as JSON text. */
export function smartPlaylistText(playlist: SmartPlaylistText): string {
  return `${JSON.stringify(smartPlaylistFields(playlist)).slice(0, -1)},"rules_json":${playlist.rulesText}}`
}

function smartPlaylistFields(playlist: Omit<SmartPlaylist, 'rules'>) {
  return {
    id: playlist.id,
    name: playlist.name,
    library_id: playlist.libraryId,
    limit: playlist.limit,
    sort_by: playlist.sortBy,
    sort_desc: playlist.isDescending,
    created_at: toIsoTimestamp(playlist.createdAt),
    updated_at: toIsoTimestamp(playlist.updatedAt),
  }
}
