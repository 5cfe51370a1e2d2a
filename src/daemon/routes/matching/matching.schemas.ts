import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'
import { MediaItemDetail } from '../media/media.schemas.ts'

/** `type` is `movie` or `tv`; any other value means the type of the item. */
export const MatchQuery = Type.Object({
  query: Type.Optional(Type.String()),
  year: Type.Optional(QueryInteger),
  type: Type.Optional(Type.String()),
})

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())
const NullableAmount = Nullable(Type.Number())

export const MatchSearchReply = Type.Object({
  results: Type.Array(
    Type.Object({
      tmdb_id: Type.Integer(),
      type: Type.String(),
      title: Type.String(),
      original_title: NullableText,
      year: NullableWhole,
      overview: NullableText,
      poster_url: NullableText,
      backdrop_url: NullableText,
      vote_average: NullableAmount,
    }),
  ),
  query: Type.String(),
  type: Type.String(),
  context: Type.Object({
    item_id: Type.String(),
    name: Type.String(),
    year: NullableWhole,
    season_number: NullableWhole,
    episode_number: NullableWhole,
  }),
})

/** The domain checks the syntax of `tmdb_id`, because it has a specific error code. */
export const ApplyBody = Type.Object({ tmdb_id: Type.Optional(Type.Unknown()), type: Type.Optional(Type.String()) })

export const ApplyReply = Type.Object({
  item: MediaItemDetail.properties.item,
  applied: Type.Object({
    item_id: Type.String(),
    mode: Type.String(),
    tmdb_id: Type.Integer(),
    matched: Type.Boolean(),
    children_enriched: Type.Integer(),
  }),
})

export const PostersReply = Type.Object({
  candidates: Type.Array(
    Type.Object({
      provider: Type.String(),
      poster_url: Type.String(),
      width: Type.Integer(),
      height: Type.Integer(),
      votes: Type.Integer(),
      vote_average: Type.Number(),
    }),
  ),
  current_poster_url: NullableText,
})

export const PosterBody = Type.Object({ poster_url: Type.String() })
