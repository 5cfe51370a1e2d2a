import type { MediaItem } from '../../../core/catalogue/index.ts'
import type { Collection } from '../../../core/collections/index.ts'
import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { collectionView } from '../../../core/views/index.ts'
import type { ShowPath } from '../../http/shown-paths.ts'
import { rowWith } from '../media/media-list-text.ts'
import { mediaRows } from '../media/media-rows.ts'

/** A collection. Times are `YYYY-MM-DD HH:MM:SS` in UTC. */
export function collectionRowView(collection: Collection) {
  return collectionView(collection, toSqlTimestamp)
}

/** Rows of a list of items. Some clients read names and pictures from `metadata`. */
export async function collectionItemsView(
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer' | 'clock'>,
  items: readonly MediaItem[],
  showPath: ShowPath,
) {
  const rows = await mediaRows(services, items, { showPath })
  return rows.map((row, index) => {
    const { name: title, year, poster_url, backdrop_url } = row
    return rowWith(row, { metadata: { ...items[index]?.metadata, title, year, poster_url, backdrop_url } })
  })
}
