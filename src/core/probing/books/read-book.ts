import { extname } from 'node:path'
import type { ByteSource } from '../../platform/files/index.ts'
import { emptyMetadata } from '../sidecars/local-metadata.ts'
import { UnreadableBook, type ProbedBook, type BookReadOutcome } from './probed-book.ts'
import { readCbz } from './read-cbz.ts'
import { readEpub } from './read-epub.ts'
import { readPdf } from './read-pdf.ts'

/** A PDF may begin with up to this many arbitrary bytes (ISO 32000-1, Annex H). */
const PDF_MARK_WITHIN = 1024

const NAME_ONLY: ReadonlyMap<string, ProbedBook['format']> = new Map([
  ['.cbr', 'cbr'],
  ['.mobi', 'mobi'],
  ['.azw', 'azw3'],
  ['.azw3', 'azw3'],
])

/**
 * Reads one book. EPUB, PDF and CBZ are detected by content; CBR, MOBI and AZW3 have no reader and are listed by name. Only the extension
 * of `name` is used, and a book without a title has none here. The source stays open. Never throws because of the content: broken,
 * encrypted and hostile books are `unreadable`.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export async function readBook(source: ByteSource, name: string): Promise<BookReadOutcome> {
  if (source.sizeBytes === 0) return { kind: 'unreadable', code: 'empty', reason: 'the file is empty' }
  const extension = extname(name).toLowerCase()
  const listed = NAME_ONLY.get(extension)
  if (listed !== undefined) return { kind: 'read', book: nameOnly(listed) }
  try {
    const book = await readByContent(source, extension)
    if (book === undefined)
      return { kind: 'unreadable', code: 'unknown_format', reason: 'the file is not a book in a supported format' }
    return { kind: 'read', book }
  } catch (error) {
    if (!(error instanceof UnreadableBook)) throw error
    return { kind: 'unreadable', code: error.code, reason: error.message }
  }
}

async function readByContent(source: ByteSource, extension: string): Promise<ProbedBook | undefined> {
  const head = Buffer.from(source.read(0, PDF_MARK_WITHIN)).toString('latin1')
  if (head.includes('%PDF-')) return readPdf(source)
  if (!head.startsWith('PK')) return undefined
  return extension === '.epub' ? readEpub(source) : readCbz(source)
}

function nameOnly(format: ProbedBook['format']): ProbedBook {
  return { format, metadata: emptyMetadata(format === 'cbr' ? 'comic' : 'book'), pageCount: null, cover: null }
}
