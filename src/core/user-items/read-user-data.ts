import type { Connection } from '../platform/database/index.ts'
import { selectUserData, selectWatchedGroups } from './queries.ts'
import { DEFAULT_USER_DATA, type UserData, type UserItemKey } from './user-data.ts'

/**
 * The data of a profile on an item, both known by UUID; defaults if there is no row. A series or season is watched if all of its current
 * episodes are.
 */
export async function readUserData({ db }: { db: Connection }, key: UserItemKey): Promise<UserData> {
  const { profileId, itemId } = key
  const userData = (await selectUserData(db, key)) ?? DEFAULT_USER_DATA
  const isWatched = (await selectWatchedGroups(db, { profileId, itemIds: [itemId] })).get(itemId)
  return { ...userData, isWatched: isWatched ?? userData.isWatched }
}
