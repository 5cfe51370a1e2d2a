/** What one account says about one item (document 1, user_data). */
export type UserData = {
  isFavourite: boolean
  /** 1 to 10; null: not rated. */
  rating: number | null
  /** -2 strongly dislike, -1 dislike, 0 not set, 1 like, 2 love. */
  likeLevel: number
  isWatched: boolean
}

/** What holds while an account has said nothing. */
export const NO_USER_DATA: UserData = { isFavourite: false, rating: null, likeLevel: 0, isWatched: false }

/** Whose word about what; the account exists, the item need not. */
export type UserItemKey = { accountId: string; itemId: string }
