import { Type } from 'typebox'
import { FreeObject, Nullable, QueryInteger } from '../../http/schemas.ts'
import { MediaItemRow } from '../media/media.schemas.ts'

export const ContinueWatchingQuery = Type.Object({ limit: Type.Optional(QueryInteger) })

/** A row of every list, with the user's position. */
export const UnfinishedRow = Type.Object({
  ...MediaItemRow.properties,
  media_item_id: Type.String(),
  position_ticks: Type.Integer(),
  duration_ticks: Nullable(Type.Integer()),
  playback_status: Type.String(),
  metadata: FreeObject,
})

export const ContinueWatchingList = Type.Object({ items: Type.Array(UnfinishedRow) })

const Page = { limit: Type.Integer(), offset: Type.Integer() }

export const RecentlyWatchedList = Type.Object({
  items: Type.Array(Type.Object({ ...UnfinishedRow.properties, progress_percent: Type.Number() })),
  ...Page,
})

export const HistoryList = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.String(), progress: Type.Number(), updated_at: Type.String(), media: MediaItemRow }),
  ),
  ...Page,
})

/** A row of every list, with the series. */
export const NextUpRow = Type.Object({
  ...MediaItemRow.properties,
  media_item_id: Type.String(),
  series_id: Type.String(),
  series_name: Type.String(),
  series_title: Type.String(),
  position_ticks: Type.Integer(),
  duration_ticks: Type.Integer(),
  metadata: FreeObject,
})

export const NextUpList = Type.Object({ items: Type.Array(NextUpRow) })
