import {
  createCatalogueCache,
  findItems,
  listItems,
  type ItemFilter,
  type MediaItem,
} from '../../src/core/catalogue/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'

/** A page of the catalogue with all data of its items, which is more than lists contain. */
export async function listWholeItems(
  services: { db: Database },
  filter: ItemFilter,
): Promise<{ items: MediaItem[]; total: number }> {
  const { items, total } = await listItems({ catalogueCache: createCatalogueCache(services) }, filter)
  const ids = items.map(({ id }) => id)
  return { items: await findItems(services, ids), total }
}
