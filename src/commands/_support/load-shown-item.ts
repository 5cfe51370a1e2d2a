import type { ListedArtwork } from '../../core/artwork/index.ts'
import type { ItemFile, MediaItemDetail } from '../../core/catalogue/index.ts'
import type { Database } from '../../core/platform/database/index.ts'

/** An item with all data of `media:show`. */
export type ShownItem = {
  item: MediaItemDetail
  title: string
  files: readonly ItemFile[]
  artwork: readonly ListedArtwork[]
}

/** @throws AppError `media_item_not_found` */
export async function loadShownItem(services: { db: Database }, id: string): Promise<ShownItem> {
  const { describeItems, getItem, listItemFiles } = await import('../../core/catalogue/index.ts')
  const { listArtwork } = await import('../../core/artwork/index.ts')
  const item = await getItem(services, id)
  const [described] = await describeItems(services, [item.id])
  return {
    item,
    title: described?.title ?? item.name,
    files: await listItemFiles(services, item.id),
    artwork: await listArtwork(services, item.id),
  }
}
