import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { postgresSafeSortTitle, type Chapter } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { CHAPTER_MARKS } from '../chapter-marks.ts'
import type { BookPart } from '../multi-file-book.ts'

const Chapters = z.array(
  z.strictObject({ startSeconds: z.number(), endSeconds: z.number(), title: z.string().nullable() }),
)

const Marks = z.array(
  z
    .strictObject({ start_seconds: z.number(), end_seconds: z.number().nullable(), title: z.string().nullable() })
    .transform(({ start_seconds: startSeconds, end_seconds: endSeconds, title }) => ({
      startSeconds,
      endSeconds,
      title,
    })),
)

const Facts = z.record(z.string(), z.unknown())

const BookSchema = z.strictObject({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  sortTitle: z.string(),
  year: z.number().nullable(),
  nameSource: z.string(),
  /** Whether a sidecar file gives the year. */
  hasSidecarYear: z.boolean(),
  metadata: Facts,
  /** Chapter marks from a sidecar file; empty if there is none. */
  marks: Marks,
})

/** A book with several files, as stored in the catalogue. */
export type BookRow = z.infer<typeof BookSchema>

const bookColumns = sql.fragment`
  g.id, g.group_key as key, g.name, g.sort_title, g.year, g.name_source, g.local_metadata ? 'year' as has_sidecar_year, g.metadata,
  coalesce(g.local_metadata -> ${CHAPTER_MARKS}, '[]') as marks`

/**
 * Makes the files of each folder parts of the book with the folder's key, if that book exists. By its name alone, a single file in a folder
 * is a book of its own.
 */
export async function assignFilesToBooks(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly { folderHash: Buffer; key: string }[] },
): Promise<void> {
  const rows = folders.map(({ folderHash, key }) => [folderHash, key])
  await connection.query(sql.unsafe`
    update media_items i set role = 'part', primary_id = g.id, parent_id = null
    from ${sql.unnest(rows, ['bytea', 'text'])} as v (folder_hash, key)
    join media_items g on g.library_id = ${libraryId} and g.type = 'audiobook' and g.group_key = v.key
    where i.library_id = ${libraryId} and i.folder_hash = v.folder_hash and i.type = 'audiobook'
      and (i.role is distinct from 'part' or i.primary_id is distinct from g.id)`)
}

export async function selectBooksByKey(
  connection: Connection,
  { libraryId, keys }: { libraryId: string; keys: readonly string[] },
): Promise<BookRow[]> {
  const rows = await connection.any(sql.type(BookSchema)`
    select ${bookColumns} from media_items g
    where g.library_id = ${libraryId} and g.type = 'audiobook' and g.group_key = any (${sql.array([...keys], 'text')})`)
  return [...rows]
}

/** Books whose number of parts or duration has changed since they were assembled. Reads the parts of the library once. */
export async function selectOutdatedBooks(connection: Connection, libraryId: string): Promise<BookRow[]> {
  const rows = await connection.any(sql.type(BookSchema)`
    select ${bookColumns} from media_items g
    join (
      select p.primary_id as id, count(*) as parts, coalesce(sum(p.duration_seconds), 0) as seconds
      from media_items p where p.library_id = ${libraryId} and p.type = 'audiobook' and p.role = 'part'
      group by p.primary_id
    ) p on p.id = g.id
    where g.library_id = ${libraryId} and g.type = 'audiobook' and g.group_key is not null
      and (g.metadata -> 'part_count' is distinct from to_jsonb(p.parts)
        or abs(coalesce(g.duration_seconds, 0) - p.seconds) > 0.001)`)
  return [...rows]
}

const PartSchema = z.strictObject({
  bookId: z.string(),
  id: z.string(),
  path: z.string(),
  name: z.string(),
  durationSeconds: z.number().nullable(),
  chapters: Chapters,
  tags: Facts,
  discTag: z.number().nullable(),
  trackTag: z.number().nullable(),
  isMissing: z.boolean(),
  canonicalKey: z.string().nullable(),
})

export async function selectBookParts(
  connection: Connection,
  bookIds: readonly string[],
): Promise<(BookPart & { bookId: string })[]> {
  if (bookIds.length === 0) return []
  const rows = await connection.any(sql.type(PartSchema)`
    select p.primary_id as book_id, p.id, p.path, p.name, p.duration_seconds, p.chapters, p.local_metadata as tags,
      (p.local_metadata ->> 'disc_number')::int4 as disc_tag, (p.local_metadata ->> 'track_number')::int4 as track_tag,
      p.missing_since is not null as is_missing, p.canonical_key
    from media_items p
    where p.primary_id = any (${sql.array([...bookIds], 'uuid')}) and p.role = 'part' and p.path is not null
    order by p.path`)
  return [...rows]
}

type BookWrite = Pick<BookRow, 'id' | 'name' | 'sortTitle' | 'year' | 'metadata'> & {
  durationSeconds: number
  chapters: readonly Chapter[]
}

/** Unchanged rows are not written. */
export async function updateBooks(
  connection: Connection,
  { books, now }: { books: readonly BookWrite[]; now: Date },
): Promise<void> {
  if (books.length === 0) return
  const rows = books.map((book) => [
    book.id,
    book.name,
    postgresSafeSortTitle(book.sortTitle),
    book.year,
    JSON.stringify(book.metadata),
    book.durationSeconds,
    JSON.stringify(book.chapters),
  ])
  const types = ['uuid', 'text', 'text', 'int4', 'jsonb', 'float8', 'jsonb'] as const
  await connection.query(sql.unsafe`
    update media_items g set ${assign(['name', 'sort_title', 'year', 'metadata', 'duration_seconds', 'chapters'])},
      updated_at = ${sql.timestamp(now)}
    from ${sql.unnest(rows, [...types])} as v (id, name, sort_title, year, metadata, duration_seconds, chapters)
    where g.id = v.id and (g.name, g.sort_title, g.year, g.metadata, g.duration_seconds, g.chapters)
      is distinct from (v.name, v.sort_title, v.year, v.metadata, v.duration_seconds, v.chapters)`)
}

function assign(columns: readonly string[]): FragmentSqlToken {
  const pairs = columns.map((column) => sql.fragment`${sql.identifier([column])} = ${sql.identifier(['v', column])}`)
  return sql.fragment`${sql.join(pairs, sql.fragment`, `)}`
}

export async function updatePartOrder(
  connection: Connection,
  parts: readonly { id: string; position: number }[],
): Promise<void> {
  if (parts.length === 0) return
  const rows = parts.map(({ id, position }) => [id, position])
  await connection.query(sql.unsafe`
    update media_items p set role_order = v.position
    from ${sql.unnest(rows, ['uuid', 'int4'])} as v (id, position)
    where p.id = v.id and p.role_order is distinct from v.position`)
}
