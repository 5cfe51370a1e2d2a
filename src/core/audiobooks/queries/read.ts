import { sql } from 'slonik'
import { z } from 'zod'
import type { Page } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { Audiobook } from '../audiobook.ts'
import { CHAPTER_MARKS } from '../chapter-marks.ts'

const Columns = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  name: z.string(),
  year: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  path: z.string().nullable(),
})

const BookRow = Columns.extend({
  chapters: z.array(z.strictObject({ startSeconds: z.number(), endSeconds: z.number(), title: z.string().nullable() })),
})

const ListedRow = Columns.extend({ chapterCount: z.number(), percentComplete: z.number() })

/** A book as lists show it: with the number of its chapters and the progress of the listener. */
export type ListedAudiobook = Omit<Audiobook, 'chapters'> & { chapterCount: number; percentComplete: number }

/** The columns of a book, without the chapter marks of a sidecar file, because `chapters` contains them. */
const bookColumns = sql.fragment`
  i.id, i.library_id, i.name, i.year, i.duration_seconds, (i.metadata || i.local_metadata) - ${CHAPTER_MARKS}::text as metadata, i.path`

/** Parts of a book are rows with a role (`media_items_listened_and_read`). */
const isBook = sql.fragment`i.type = 'audiobook' and i.role is null`

export async function selectAudiobook(connection: Connection, id: string): Promise<Audiobook | undefined> {
  const row = await connection.maybeOne(sql.type(BookRow)`
    select ${bookColumns}, i.chapters from media_items i where i.id = ${id} and ${isBook}`)
  return row ?? undefined
}

const StartedRow = ListedRow.extend({ lastPlayedAt: z.date() })

/** A book that the profile has started, with the time of the last report. */
export type StartedAudiobook = ListedAudiobook & { lastPlayedAt: Date }

/** The books that a profile has started and not finished; the one played last first. */
export async function selectStartedAudiobooks(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<StartedAudiobook[]> {
  const rows = await connection.any(sql.type(StartedRow)`
    select ${bookColumns}, greatest(jsonb_array_length(i.chapters), 1) as chapter_count, p.percent_complete, p.last_played_at
    from audiobook_progress p join media_items i on i.id = p.media_item_id
    where p.profile_id = ${profileId} and p.percent_complete < 100 and ${isBook} and i.missing_since is null
    order by p.last_played_at desc, i.id limit ${limit}`)
  return [...rows]
}

export async function selectAudiobooks(
  connection: Connection,
  { profileId, libraryId, limit, offset }: Page & { profileId: string; libraryId: string | null },
): Promise<ListedAudiobook[]> {
  const ofLibrary = libraryId === null ? sql.fragment`` : sql.fragment`and i.library_id = ${libraryId}`
  const rows = await connection.any(sql.type(ListedRow)`
    select ${bookColumns}, greatest(jsonb_array_length(i.chapters), 1) as chapter_count,
      coalesce(p.percent_complete, 0) as percent_complete
    from (
      select i.id from media_items i where ${isBook} ${ofLibrary} order by i.sort_key, i.id limit ${limit} offset ${offset}
    ) page
    join media_items i on i.id = page.id
    left join audiobook_progress p on p.profile_id = ${profileId} and p.media_item_id = i.id
    order by i.sort_key, i.id`)
  return [...rows]
}
