import { Type } from 'typebox'
import { FreeObject, Nullable, QueryInteger } from '../../http/schemas.ts'
import { MediaItemRow } from '../media/media.schemas.ts'

export const ContinueWatchingQuery = Type.Object({ limit: Type.Optional(QueryInteger) })

/** A row of every list, with where the user left the item (document 4, section 3). */
export const ContinueWatchingList = Type.Object({
  items: Type.Array(
    Type.Object({
      ...MediaItemRow.properties,
      media_item_id: Type.String(),
      position_ticks: Type.Integer(),
      duration_ticks: Nullable(Type.Integer()),
      playback_status: Type.String(),
      metadata: FreeObject,
    }),
  ),
})
