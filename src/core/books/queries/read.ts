import { sql } from 'slonik'
import { z } from 'zod'
import type { Page } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { Book, BookFormat } from '../book.ts'
import type { ReadingPosition } from '../reading-position.ts'

const BookRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  name: z.string(),
  year: z.number().nullable(),
  path: z.string(),
  sizeBytes: z.number(),
  metadata: z.record(z.string(), z.unknown()),
})

const FormatRow = BookRow.pick({ id: true, path: true, sizeBytes: true })

const bookColumns = sql.fragment`
  i.id, i.library_id, i.name, i.year, i.path, i.size_bytes, i.metadata || i.local_metadata as metadata`

/** The page is selected by the index `media_items_listened_and_read`. */
export async function selectBooks(
  connection: Connection,
  { libraryId, limit, offset }: Page & { libraryId: string | null },
): Promise<Book[]> {
  const ofLibrary = libraryId === null ? sql.fragment`` : sql.fragment`and i.library_id = ${libraryId}`
  const rows = await connection.any(sql.type(BookRow)`
    select ${bookColumns} from media_items i
    where i.type = 'book' and i.role is null and i.path is not null ${ofLibrary}
    order by i.sort_key, i.id limit ${limit} offset ${offset}`)
  return [...rows]
}

const StartedRow = BookRow.extend({
  currentPage: z.number(),
  totalPages: z.number(),
  percentComplete: z.number(),
  lastReadAt: z.date(),
})

/** A book that the profile has started, with the position. `totalPages`: 0 if unknown. */
export type StartedBook = Book & Pick<ReadingPosition, 'currentPage' | 'totalPages' | 'percentComplete' | 'lastReadAt'>

/** The books that a profile has started and not finished; the one read last first. */
export async function selectStartedBooks(
  connection: Connection,
  { profileId, limit }: { profileId: string; limit: number },
): Promise<StartedBook[]> {
  const rows = await connection.any(sql.type(StartedRow)`
    select ${bookColumns}, p.current_page, p.total_pages, p.percent_complete, p.last_read_at
    from book_progress p join media_items i on i.id = p.media_item_id
    where p.profile_id = ${profileId} and p.percent_complete < 100 and i.type = 'book' and i.role is null and i.path is not null
      and i.missing_since is null
    order by p.last_read_at desc, i.id limit ${limit}`)
  return [...rows]
}

export async function selectBook(connection: Connection, id: string): Promise<Book | undefined> {
  const row = await connection.maybeOne(sql.type(BookRow)`
    select ${bookColumns} from media_items i
    where i.id = ${id} and i.type = 'book' and i.path is not null`)
  return row ?? undefined
}

/** The other formats of a book. */
export async function selectFormats(connection: Connection, id: string): Promise<BookFormat[]> {
  const rows = await connection.any(sql.type(FormatRow)`
    select i.id, i.path, i.size_bytes from media_items i
    where i.primary_id = ${id} and i.role = 'version' and i.type = 'book' and i.path is not null
    order by i.role_order, i.id`)
  return [...rows]
}
