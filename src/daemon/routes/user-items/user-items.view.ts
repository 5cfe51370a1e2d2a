import type { SigningServices } from '../../../core/services.ts'
import type { Favourite, ItemScores } from '../../../core/user-items/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { userDataView } from '../media/media.view.ts'

/** The ratings of an item by user. The id of a rating is the user's id. */
export function itemRatingsView(itemId: string, { scores, aggregate }: ItemScores) {
  return {
    item_id: itemId,
    ratings: scores.map(({ source, score, votes }) => ({
      id: source,
      source,
      type: source === 'users' ? 'user' : 'audience',
      score,
      votes,
    })),
    aggregate_score: aggregate,
  }
}

/** Rows of a list of items with the user's own data, in the same order. */
export async function favouritesView(
  rows: MediaRows,
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  { favourites, showPath }: { favourites: readonly Favourite[]; showPath: FormatPath },
) {
  const plain = await rows.rowsOf(
    services,
    favourites.map(({ item }) => item),
    { showPath },
  )
  return plain.flatMap((row, index) => {
    const userData = favourites[index]?.userData
    return userData === undefined ? [] : [rows.extend(row, { user_data: userDataView(userData) })]
  })
}
