import { Type } from 'typebox'
import { QueryInteger } from '../../http/schemas.ts'
import { AudiobookRow } from '../audiobooks/audiobooks.schemas.ts'
import { BookRow } from '../books/books.schemas.ts'
import { NextUpRow, UnfinishedRow } from '../continue-watching/continue-watching.schemas.ts'
import { MediaListRow } from '../media/media.schemas.ts'
import { RecommendedItem } from '../recommendations/recommendations.schemas.ts'
import { FavouriteRow } from '../user-items/user-items.schemas.ts'

export const HomeQuery = Type.Object({ limit: Type.Optional(QueryInteger) })

/** The rows of a start page. Each list has the rows of the route that returns only this list. */
export const Home = Type.Object({
  continue_watching: Type.Array(UnfinishedRow),
  next_up: Type.Array(NextUpRow),
  continue_listening: Type.Array(Type.Object({ ...AudiobookRow.properties, last_played_at: Type.String() })),
  continue_reading: Type.Array(
    Type.Object({
      ...BookRow.properties,
      current_page: Type.Integer(),
      total_pages: Type.Integer(),
      progress_percent: Type.Number(),
      last_read_at: Type.String(),
    }),
  ),
  recently_added: Type.Array(
    Type.Object({
      library: Type.Object({ id: Type.String(), name: Type.String(), type: Type.String() }),
      items: Type.Array(MediaListRow),
    }),
  ),
  favorites: Type.Array(FavouriteRow),
  recommendations: Type.Array(RecommendedItem),
  limit: Type.Integer(),
})
