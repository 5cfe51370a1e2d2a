import type { CatalogueCache } from '../cache/catalogue-cache.ts'
import { catalogueErrors } from '../errors.ts'
import { listItems, type ItemPage } from './list-items.ts'
import { MEDIA_ITEM_TYPES } from '../item/media-item.ts'
import type { PageRequest } from '../item/page.ts'

/**
 * A page of the items that a library lists, by name; with a type only items of that type.
 * @param input.libraryId of a library that exists
 * @throws AppError `invalid_request` with `details.field`
 */
export async function listLibraryItems(
  { catalogueCache }: { catalogueCache: CatalogueCache },
  { type, ...request }: PageRequest & { libraryId: string; type?: string | undefined },
): Promise<ItemPage> {
  const wanted = MEDIA_ITEM_TYPES.find((one) => one === type)
  if (wanted === undefined && type !== undefined && type !== '') {
    throw catalogueErrors.invalid_request({
      message: `type must be one of ${MEDIA_ITEM_TYPES.join(', ')}`,
      details: { field: 'type' },
    })
  }
  return listItems({ catalogueCache }, { ...request, ...(wanted === undefined ? {} : { types: [wanted] }) })
}
