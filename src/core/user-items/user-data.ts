/** The data of one account on one item. */
export type UserData = {
  isFavourite: boolean
  /** 1 to 10; null: not rated. */
  rating: number | null
  /** -2 strongly dislike, -1 dislike, 0 not set, 1 like, 2 love. */
  likeLevel: number
  isWatched: boolean
}

/** The defaults without a stored row. */
export const DEFAULT_USER_DATA: UserData = { isFavourite: false, rating: null, likeLevel: 0, isWatched: false }

/** The account and the item of user data. The account exists, the item need not. */
export type UserItemKey = { profileId: string; itemId: string }
