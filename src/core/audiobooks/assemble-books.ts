import { pathHash } from '../catalogue/index.ts'
import { sortTitle } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { assembleMultiFileBook } from './multi-file-book.ts'
import {
  assignFilesToBooks,
  selectBooksByKey,
  selectOutdatedBooks,
  selectBookParts,
  updateBooks,
  updatePartOrder,
  type BookRow,
} from './queries/parts.ts'

/** A folder with files of a book. `key`: of the book's group; `names`: metadata from its path. */
export type BookFolder = { path: string; key: string; names: Record<string, unknown> }

type Input = { libraryId: string; folders: readonly BookFolder[]; now: Date }

/**
 * Assembles books from the files in some folders. If a folder has a group, all of its files become parts of the book, and the group gets
 * the combined data of its parts (duration, chapters over the whole book, tags that agree). Runs after the files and groups have been
 * written, in their transaction. A folder with one file and no group is not changed.
 */
export async function assembleBooks(connection: Connection, { libraryId, folders, now }: Input): Promise<void> {
  if (folders.length === 0) return
  const rows = folders.map(({ path, key }) => ({ folderHash: pathHash(path), key }))
  await assignFilesToBooks(connection, { libraryId, folders: rows })
  const names = new Map(folders.map((folder) => [folder.key, folder.names]))
  const books = await selectBooksByKey(connection, { libraryId, keys: [...names.keys()] })
  await assemble(connection, { books, names, now })
}

/** Assembles all outdated books of a library: parts were removed, or moved from another book. */
export async function reassembleBooks(
  connection: Connection,
  { libraryId, now }: { libraryId: string; now: Date },
): Promise<void> {
  const books = await selectOutdatedBooks(connection, libraryId)
  await assemble(connection, { books, names: new Map(), now })
}

type Assembly = {
  books: readonly BookRow[]
  names: ReadonlyMap<string, Record<string, unknown>>
  now: Date
}

async function assemble(connection: Connection, { books, names, now }: Assembly): Promise<void> {
  const parts = Map.groupBy(
    await selectBookParts(
      connection,
      books.map(({ id }) => id),
    ),
    ({ bookId }) => bookId,
  )
  const whole = books.flatMap((book) => {
    const own = parts.get(book.id)
    if (own === undefined) return []
    const { order, title, year, tags, ...times } = assembleMultiFileBook(own, book.marks)
    // A name from a sidecar file has been written already; tags have priority over names of folders.
    const isNamed = title !== null && book.nameSource === 'file'
    const naming = isNamed
      ? { name: title, sortTitle: sortTitle(title) }
      : { name: book.name, sortTitle: book.sortTitle }
    const metadata = { ...(names.get(book.key) ?? book.metadata), ...tags, part_count: own.length }
    return [
      {
        id: book.id,
        ...naming,
        year: book.hasSidecarYear ? book.year : (year ?? book.year),
        metadata,
        order,
        ...times,
      },
    ]
  })
  await updateBooks(connection, { books: whole, now })
  await updatePartOrder(
    connection,
    whole.flatMap(({ order }) => order.map((id, index) => ({ id, position: index + 1 }))),
  )
}
