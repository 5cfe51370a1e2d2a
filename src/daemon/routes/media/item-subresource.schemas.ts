import { Type } from 'typebox'
import { Nullable, QueryInteger } from '../../http/schemas.ts'
import { MediaItemRow } from './media.schemas.ts'

export const LimitQuery = Type.Object({ limit: Type.Optional(QueryInteger) })

/** Clients read these keys in camel case. */
export const SuggestedItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  type: Type.String(),
  posterUrl: Nullable(Type.String()),
  year: Nullable(Type.Integer()),
  score: Type.Number(),
  reason: Type.String(),
})

export const SimilarItems = Type.Object({ items: Type.Array(SuggestedItem) })

export const MissingEpisodes = Type.Object({
  total_expected: Type.Integer(),
  total_existing: Type.Integer(),
  missing_episodes: Type.Array(Type.Object({ season_number: Type.Integer(), episode_number: Type.Integer() })),
})

/** `item` is null for the last episode, and for items that are no episodes. */
export const NextEpisode = Type.Object({ item: Nullable(MediaItemRow) })

export const ShuffleBody = Type.Object({ media_id: Type.String() })

export const ShuffledItems = Type.Object({
  shuffled_ids: Type.Array(Type.String()),
  mode: Type.String(),
  message: Type.String(),
})
