import { openItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Audiobook } from './audiobook.ts'
import { assembleMultiFileBook } from './multi-file-book.ts'
import { audiobookErrors } from './errors.ts'
import { selectBookParts } from './queries/parts.ts'

/** A file of a book, and its time range in the book. */
export type BookFile = { path: string; startSeconds: number; endSeconds: number }

/** The files of a book in playing order. Chapters and positions count over all of them. */
export async function readBookFiles({ db }: { db: Connection }, book: Audiobook): Promise<BookFile[]> {
  if (book.path !== null) return [{ path: book.path, startSeconds: 0, endSeconds: book.durationSeconds ?? 0 }]
  const parts = await selectBookParts(db, [book.id])
  const byId = new Map(parts.map((part) => [part.id, part]))
  let startSeconds = 0
  return assembleMultiFileBook(parts, []).order.flatMap((id) => {
    const part = byId.get(id)
    if (part === undefined) return []
    const endSeconds = startSeconds + (part.durationSeconds ?? 0)
    const file = { path: part.path, startSeconds, endSeconds }
    startSeconds = endSeconds
    return [file]
  })
}

/** `durationSeconds`: 0 if it is unknown. */
type OpenBookFile = Awaited<ReturnType<typeof openItemFile>> & { durationSeconds: number }

/**
 * Opens one file of a book, after a check that it is inside its library.
 * @param input.part from 0
 * @throws AppError `audiobook_part_not_found`, `file_not_found`, `path_outside_root` and the errors of opening
 */
export async function openBookFile(
  services: { db: Connection; getLibraryPaths: GetLibraryPaths },
  { book, part }: { book: Audiobook; part: number },
): Promise<OpenBookFile> {
  const file = (await readBookFiles(services, book))[part]
  if (file === undefined) throw audiobookErrors.audiobook_part_not_found()
  const opened = await openItemFile(services, { path: file.path, libraryId: book.libraryId })
  return { ...opened, durationSeconds: file.endSeconds - file.startSeconds }
}
