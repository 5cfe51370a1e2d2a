import type { Connection } from '../platform/database/index.ts'
import { catalogueErrors } from './errors.ts'
import { findItems } from './find-items.ts'
import type { ItemPage } from './list-items.ts'
import { MEDIA_ITEM_TYPES } from './media-item.ts'
import { checkPage, type PageRequest } from './page.ts'
import { countItemsOfType, selectItemIds } from './queries/whole-libraries.ts'

/**
 * A page of what a library lists, by name; with a type only items of that type (document 4, 2.1).
 * @param input.libraryId of a library that exists
 * @throws AppError `invalid_request` with `details.field`
 */
export async function listLibraryItems(
  { db }: { db: Connection },
  { libraryId, type, ...request }: PageRequest & { libraryId: string; type?: string | undefined },
): Promise<ItemPage> {
  const wanted = MEDIA_ITEM_TYPES.find((one) => one === type)
  if (wanted === undefined && type !== undefined && type !== '') {
    throw catalogueErrors.invalid_request({
      message: `type must be one of ${MEDIA_ITEM_TYPES.join(', ')}`,
      details: { field: 'type' },
    })
  }
  const page = checkPage(request)
  const total = await countItemsOfType(db, { libraryId, type: wanted ?? null })
  const ids = page.offset < total ? await selectItemIds(db, { libraryId, type: wanted ?? null, ...page }) : []
  return { items: await findItems({ db }, ids), total, ...page }
}
