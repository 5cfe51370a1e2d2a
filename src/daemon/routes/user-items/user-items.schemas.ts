import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { MediaItemRow, UserData } from '../media/media.schemas.ts'

/** The domain validates the rating, because its error contains the field. */
export const RatingBody = Type.Object({ rating: Type.Optional(Type.Unknown()) })

/** The body of `…/ratings`. */
export const ScoreBody = Type.Object({ score: Type.Optional(Type.Unknown()) })

export const ItemRatings = Type.Object({
  item_id: Type.String(),
  ratings: Type.Array(
    Type.Object({
      id: Type.String(),
      source: Type.String(),
      type: Type.String(),
      score: Type.Number(),
      votes: Nullable(Type.Integer()),
    }),
  ),
  aggregate_score: Nullable(Type.Number()),
})

/** Any body. A body without an integer `level`, or that is not an object, gets a special reply; see `levelOf`. */
export const LikeBody = Type.Unknown()

export const FavouriteRow = Type.Object({ ...MediaItemRow.properties, user_data: UserData })

export const FavouriteList = Type.Object({
  items: Type.Array(FavouriteRow),
  limit: Type.Integer(),
  offset: Type.Integer(),
})
