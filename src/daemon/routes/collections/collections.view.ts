import type { MediaItem } from '../../../core/catalogue/index.ts'
import type { Collection } from '../../../core/collections/index.ts'
import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { ShowPath } from '../../http/shown-paths.ts'
import { rowWith } from '../media/media-list-text.ts'
import { mediaRows } from '../media/media-rows.ts'

/** A collection. */
export function collectionView(collection: Collection) {
  return {
    id: collection.id,
    name: collection.name,
    library_id: collection.libraryId,
    smart_playlist_id: collection.smartPlaylistId,
    parent_id: collection.parentId,
    sort_order: collection.sortOrder,
    is_smart: collection.smartPlaylistId !== null,
    item_count: collection.itemCount,
    created_at: toSqlTimestamp(collection.createdAt),
    updated_at: toSqlTimestamp(collection.updatedAt),
  }
}

/** Rows of a list of items. Some clients read names and pictures from `metadata`. */
export async function collectionItemsView(
  services: Pick<SigningServices, 'db' | 'signer' | 'clock'>,
  items: readonly MediaItem[],
  showPath: ShowPath,
) {
  const rows = await mediaRows(services, items, { showPath })
  return rows.map((row, index) => {
    const { name: title, year, poster_url, backdrop_url } = row
    return rowWith(row, { metadata: { ...items[index]?.metadata, title, year, poster_url, backdrop_url } })
  })
}
