import type { Connection } from '../platform/database/index.ts'
import { selectUserData, selectWatchedGroups } from './queries.ts'
import { NO_USER_DATA, type UserData, type UserItemKey } from './user-data.ts'

/**
 * What an account has said about an item, both known by UUID; without a stored row that is nothing (document 1, user_data). A series or
 * season is watched when every episode is that it has by now.
 */
export async function readUserData({ db }: { db: Connection }, key: UserItemKey): Promise<UserData> {
  const { accountId, itemId } = key
  const said = (await selectUserData(db, key)) ?? NO_USER_DATA
  const isWatched = (await selectWatchedGroups(db, { accountId, itemIds: [itemId] })).get(itemId)
  return { ...said, isWatched: isWatched ?? said.isWatched }
}
