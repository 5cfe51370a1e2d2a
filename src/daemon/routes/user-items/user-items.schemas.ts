import { Type } from 'typebox'
import { MediaItemRow, UserData } from '../media/media.schemas.ts'

/** The domain judges the rating and names it. */
export const RatingBody = Type.Object({ rating: Type.Optional(Type.Unknown()) })

/** Whatever has no whole number as `level`, also what is no object, gets the contract's own reply; see `levelOf`. */
export const LikeBody = Type.Unknown()

export const FavouriteList = Type.Object({
  items: Type.Array(Type.Object({ ...MediaItemRow.properties, user_data: UserData })),
  limit: Type.Integer(),
  offset: Type.Integer(),
})
