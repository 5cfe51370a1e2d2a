import type { MediaItem } from '../../../core/catalogue/index.ts'
import type { Collection } from '../../../core/collections/index.ts'
import { toSqlTimestamp } from '../../../core/platform/time/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import { collectionView } from '../../../core/views/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import type { MediaRows } from '../media/media-rows.ts'

/** A collection. Times are `YYYY-MM-DD HH:MM:SS` in UTC. */
export function collectionRowView(collection: Collection) {
  return collectionView(collection, toSqlTimestamp)
}

/** Rows of a list of items. Some clients read names and pictures from `metadata`. */
export async function collectionItemsView(
  rows: MediaRows,
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  { items, showPath }: { items: readonly MediaItem[]; showPath: FormatPath },
) {
  const plain = await rows.rowsOf(services, items, { showPath })
  return plain.map((row, index) => {
    const { name: title, year, poster_url, backdrop_url } = row
    return rows.extend(row, { metadata: { ...items[index]?.metadata, title, year, poster_url, backdrop_url } })
  })
}
