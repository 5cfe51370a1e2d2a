import type { Connection } from '../platform/database/index.ts'
import { selectUserData } from './queries.ts'
import { NO_USER_DATA, type UserData, type UserItemKey } from './user-data.ts'

/** What an account has said about an item, both known by UUID; without a stored row that is nothing (document 1, user_data). */
export async function readUserData({ db }: { db: Connection }, key: UserItemKey): Promise<UserData> {
  return (await selectUserData(db, key)) ?? NO_USER_DATA
}
