import {
  checkPage,
  findListedItems,
  type CatalogueCache,
  type ListedItem,
  type Page,
  type PageRequest,
} from '../catalogue/index.ts'
import type { Database } from '../platform/database/index.ts'
import { selectFavourites, selectWatchedGroups } from './queries.ts'
import type { UserData } from './user-data.ts'

/** An item with the user data of the account. */
export type Favourite = { item: ListedItem; userData: UserData }

/**
 * A page of a profile's favourites, the newest first. An item whose file is missing stays listed, so that a disk that is absent for a
 * day does not empty the list.
 */
export async function listFavourites(
  { db, catalogueCache }: { db: Database; catalogueCache: CatalogueCache },
  { profileId, ...request }: PageRequest & { profileId: string },
): Promise<Page & { favourites: Favourite[] }> {
  const page = checkPage(request)
  const userDataById = new Map<string, UserData>()
  for (const { itemId, ...userData } of await selectFavourites(db, { profileId, ...page })) {
    userDataById.set(itemId, userData)
  }
  const items = await findListedItems({ catalogueCache }, [...userDataById.keys()])
  const groups = items.filter(({ type }) => type === 'series' || type === 'season').map(({ id }) => id)
  const watched =
    groups.length === 0 ? new Map<string, boolean>() : await selectWatchedGroups(db, { profileId, itemIds: groups })
  const favourites: Favourite[] = []
  for (const item of items) {
    const data = userDataById.get(item.id)
    const isWatched = watched.get(item.id)
    if (data !== undefined) favourites.push({ item, userData: isWatched === undefined ? data : { ...data, isWatched } })
  }
  return { favourites, ...page }
}
