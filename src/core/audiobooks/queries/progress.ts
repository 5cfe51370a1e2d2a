import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { AudiobookProgress } from '../progress.ts'

const ProgressRow = z.strictObject({
  audiobookId: z.string(),
  profileId: z.string(),
  positionMs: z.number(),
  currentChapterIndex: z.number(),
  completedChapters: z.array(z.number()),
  percentComplete: z.number(),
  countsWholeBook: z.boolean(),
  lastPlayedAt: z.date(),
})

const progressColumns = sql.fragment`
  p.media_item_id as audiobook_id, p.profile_id, p.position_ms, p.current_chapter_index, p.completed_chapters, p.percent_complete,
  p.counts_whole_book, p.last_played_at`

const VersionRow = z.strictObject({ version: z.string() })

type ProgressKey = Pick<AudiobookProgress, 'audiobookId' | 'profileId'>

export async function selectProgress(connection: Connection, key: ProgressKey): Promise<AudiobookProgress | undefined> {
  const row = await connection.maybeOne(sql.type(ProgressRow)`
    select ${progressColumns} from audiobook_progress p
    where p.profile_id = ${key.profileId} and p.media_item_id = ${key.audiobookId}`)
  return row ?? undefined
}

/** `xmin` changes with each write of a row (PostgreSQL manual, 5.6 System Columns). */
export async function selectProgressVersion(connection: Connection, profileId: string): Promise<string> {
  return connection.oneFirst(sql.type(VersionRow)`
    select count(*) || ' ' || coalesce(sum(hashtextextended(p.media_item_id || ' ' || p.xmin, 0)), 0) as version
    from audiobook_progress p where p.profile_id = ${profileId}`)
}

/** Undefined if the book or the profile has been deleted meanwhile: both are locked until the row is written. */
export async function upsertProgress(
  connection: Connection,
  row: AudiobookProgress,
): Promise<AudiobookProgress | undefined> {
  const written = await connection.maybeOne(sql.type(ProgressRow)`
    insert into audiobook_progress as p (
      profile_id, media_item_id, position_ms, current_chapter_index, completed_chapters, percent_complete, counts_whole_book, last_played_at)
    select r.id, i.id, ${row.positionMs}::int8, ${row.currentChapterIndex}::int4,
      ${sql.array(row.completedChapters, 'int4')}, ${row.percentComplete}::float8, ${row.countsWholeBook}, ${sql.timestamp(row.lastPlayedAt)}
    from media_items i join profiles r on r.id = ${row.profileId}
    where i.id = ${row.audiobookId} for key share
    on conflict (profile_id, media_item_id) do update set
      position_ms = excluded.position_ms, current_chapter_index = excluded.current_chapter_index,
      completed_chapters = excluded.completed_chapters, percent_complete = excluded.percent_complete, counts_whole_book = excluded.counts_whole_book,
      last_played_at = greatest(p.last_played_at, excluded.last_played_at)
    returning ${progressColumns}`)
  return written ?? undefined
}

/** Copies every profile's row of one book to another; if both exist, the later one is kept. */
export async function copyProgress(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into audiobook_progress as p (
      profile_id, media_item_id, position_ms, current_chapter_index, completed_chapters, percent_complete, counts_whole_book, last_played_at)
    select profile_id, ${toId}::uuid, position_ms, current_chapter_index, completed_chapters, percent_complete, counts_whole_book,
      last_played_at
    from audiobook_progress where media_item_id = ${fromId}
    on conflict (profile_id, media_item_id) do update set
      position_ms = excluded.position_ms, current_chapter_index = excluded.current_chapter_index,
      completed_chapters = excluded.completed_chapters, percent_complete = excluded.percent_complete, counts_whole_book = excluded.counts_whole_book,
      last_played_at = excluded.last_played_at
    where excluded.last_played_at >= p.last_played_at`)
}
