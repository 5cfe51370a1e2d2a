import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { ReadingPosition } from '../reading-position.ts'

const PlaceRow = z.strictObject({
  bookId: z.string(),
  profileId: z.string(),
  positionMs: z.number(),
  currentPage: z.number(),
  totalPages: z.number(),
  percentComplete: z.number(),
  locator: z.string().nullable(),
  lastReadAt: z.date(),
})

const placeColumns = sql.fragment`
  p.media_item_id as book_id, p.profile_id, p.position_ms, p.current_page, p.total_pages, p.percent_complete, p.locator,
  p.last_read_at`

export async function selectReadingPosition(
  connection: Connection,
  { bookId, profileId }: Pick<ReadingPosition, 'bookId' | 'profileId'>,
): Promise<ReadingPosition | undefined> {
  const row = await connection.maybeOne(sql.type(PlaceRow)`
    select ${placeColumns} from book_progress p where p.profile_id = ${profileId} and p.media_item_id = ${bookId}`)
  return row ?? undefined
}

/** Undefined if the book or the profile has been deleted meanwhile: both are locked until the row is written. */
export async function upsertReadingPosition(
  connection: Connection,
  place: ReadingPosition,
): Promise<ReadingPosition | undefined> {
  const row = await connection.maybeOne(sql.type(PlaceRow)`
    insert into book_progress as p
      (profile_id, media_item_id, position_ms, current_page, total_pages, percent_complete, locator, last_read_at)
    select r.id, i.id, ${place.positionMs}::int8, ${place.currentPage}::int4, ${place.totalPages}::int4,
      ${place.percentComplete}::float8, ${place.locator}::text, ${sql.timestamp(place.lastReadAt)}
    from media_items i join profiles r on r.id = ${place.profileId}
    where i.id = ${place.bookId} for key share
    on conflict (profile_id, media_item_id) do update set
      position_ms = excluded.position_ms, current_page = excluded.current_page, total_pages = excluded.total_pages,
      percent_complete = excluded.percent_complete, locator = excluded.locator,
      last_read_at = greatest(p.last_read_at, excluded.last_read_at)
    returning ${placeColumns}`)
  return row ?? undefined
}

/** Copies every profile's row of one book to another; if both exist, the later one is kept. */
export async function copyReadingPositions(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    insert into book_progress as p
      (profile_id, media_item_id, position_ms, current_page, total_pages, percent_complete, locator, last_read_at)
    select profile_id, ${toId}::uuid, position_ms, current_page, total_pages, percent_complete, locator, last_read_at
    from book_progress where media_item_id = ${fromId}
    on conflict (profile_id, media_item_id) do update set
      position_ms = excluded.position_ms, current_page = excluded.current_page, total_pages = excluded.total_pages,
      percent_complete = excluded.percent_complete, locator = excluded.locator, last_read_at = excluded.last_read_at
    where excluded.last_read_at >= p.last_read_at`)
}
