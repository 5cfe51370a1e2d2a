import type { Collection } from '../collections/index.ts'

/**
 * A collection.
 * @param formatCueTime the HTTP API writes these times in another format than the command line
 */
export function collectionView(collection: Collection, formatTime: (time: Date) => string) {
  return {
    id: collection.id,
    name: collection.name,
    library_id: collection.libraryId,
    smart_playlist_id: collection.smartPlaylistId,
    parent_id: collection.parentId,
    sort_order: collection.sortOrder,
    is_smart: collection.smartPlaylistId !== null,
    item_count: collection.itemCount,
    created_at: formatTime(collection.createdAt),
    updated_at: formatTime(collection.updatedAt),
  }
}
