import { sql } from 'slonik'
import { z } from 'zod'
import { MEDIA_ITEM_TYPES } from '../item/media-item.ts'
import { totalSeconds } from './total-seconds.ts'

/** The fields that listed and complete items share, for a query with `media_items` as `i`. */
export const itemFields = {
  id: z.string(),
  libraryId: z.string(),
  parentId: z.string().nullable(),
  type: z.enum(MEDIA_ITEM_TYPES),
  name: z.string(),
  sortTitle: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  episodeTitle: z.string().nullable(),
  path: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
}

export const commonItemColumns = sql.fragment`
  i.id, i.library_id, i.parent_id, i.type, i.name, i.sort_title, i.year, i.season_number, i.episode_number, i.episode_title,
  i.path, ${totalSeconds} as duration_seconds, i.created_at, i.updated_at`
