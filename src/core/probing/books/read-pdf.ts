import { getResolvedPDFJS } from 'unpdf'
import { withTimeLimit } from '../../platform/concurrency/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { ByteSource } from '../../platform/files/index.ts'
import { emptyMetadata, type LocalMetadata } from '../sidecars/local-metadata.ts'
import { splitNames } from '../sidecars/read-book-nfo.ts'
import { parseCount, cleanLine, cleanParagraphs, parseYear } from '../untrusted-values.ts'
import { UnreadableBook, type ProbedBook } from './probed-book.ts'

/** Documents up to this size are passed to the library as a whole. */
const WHOLE_BYTES = 8 * 1024 * 1024

/**
 * Limits for a larger document: bytes read, in chunks, and milliseconds. Its cross-reference table and page tree need far less. For a
 * document without a table the library scans everything, and restarts with each chunk; large chunks keep their number low.
 */
const CHUNK_BYTES = 256 * 1024
const MAX_BYTES = 8 * 1024 * 1024
const MAX_MILLISECONDS = 10_000

const MAX_PAGES = 1_000_000

/** No console output: the outcome describes faults. */
const ERRORS_ONLY = 0

/** Titles that programs generate. */
const NO_TITLE = /^(?:untitled|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|indd|qxd|tex|dvi|pdf|rtf|pptx?))$/i

/**
 * Reads title, author and page count of a PDF. A large document is read in chunks to limit memory, and for at most 10 seconds or 8 MiB.
 * An endless loop inside the library is ended by the worker's time limit.
 * @throws UnreadableBook for broken documents and those that need a password
 */
export async function readPdf(source: ByteSource): Promise<ProbedBook> {
  const { getDocument, PDFDataRangeTransport } = await getResolvedPDFJS()
  const { transport, overspent } = transportOver(source, PDFDataRangeTransport)
  const task = getDocument({
    ...(source.sizeBytes <= WHOLE_BYTES ? { data: wholeOf(source) } : { range: transport }),
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    disableFontFace: true,
    stopAtErrors: true,
    useWorkerFetch: false,
    verbosity: ERRORS_ONLY,
  })
  try {
    return await withTimeLimit(Promise.race([readDocument(task.promise), overspent]), {
      milliseconds: MAX_MILLISECONDS,
      onTimeout: () => {
        throw new UnreadableBook('too_large', 'the document takes too long to read')
      },
    })
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    // A document that is still loading rejects; the rejection is ignored.
    task.promise.catch(() => undefined)
    await task.destroy().catch(() => undefined)
  }
}

type Library = Awaited<ReturnType<typeof getResolvedPDFJS>>
type PdfDocument = Awaited<ReturnType<Library['getDocument']>['promise']>

async function readDocument(loading: Promise<PdfDocument>): Promise<ProbedBook> {
  const document = await loading
  const { info } = await document.getMetadata()
  const pageCount = parseCount(document.numPages, MAX_PAGES)
  if (pageCount === null || pageCount === 0) throw new UnreadableBook('damaged', 'the document has no pages')
  return { format: 'pdf', metadata: metadataOf(info), pageCount, cover: 'first_page' }
}

function metadataOf(info: unknown): LocalMetadata {
  const fields = new Map<string, unknown>(typeof info === 'object' && info !== null ? Object.entries(info) : [])
  const title = cleanLine(fields.get('Title'))
  return {
    ...emptyMetadata('book'),
    title: title === null || NO_TITLE.test(title) ? null : title,
    authors: splitNames(cleanLine(fields.get('Author')) ?? undefined),
    overview: cleanParagraphs(fields.get('Subject')),
    // `D:20040506070809Z` (ISO 32000-1, 7.9.4).
    year: parseYear(/^D?:?(\d{4})/.exec(cleanLine(fields.get('CreationDate'), 40) ?? '')?.[1]),
  }
}

/** A copy, because the library transfers the buffer to its worker. */
function wholeOf(source: ByteSource): Uint8Array {
  return Uint8Array.from(source.read(0, source.sizeBytes))
}

type Transport = InstanceType<Library['PDFDataRangeTransport']>

/** Serves requested ranges of the file; `overspent` rejects when the byte limit is exceeded. */
function transportOver(
  source: ByteSource,
  Base: Library['PDFDataRangeTransport'],
): { transport: Transport; overspent: Promise<never> } {
  const limit = Promise.withResolvers<never>()
  limit.promise.catch(() => undefined)
  let bytes = 0
  class SourceTransport extends Base {
    override requestDataRange(begin: number, end: number): void {
      bytes += end - begin
      if (bytes > MAX_BYTES) {
        limit.reject(new UnreadableBook('too_large', 'the document takes too much to read'))
        return
      }
      try {
        // A copy, because the library transfers the buffer.
        this.onDataRange(begin, Uint8Array.from(source.read(begin, end - begin)))
      } catch (error) {
        limit.reject(error)
      }
    }
  }
  return { transport: new SourceTransport(source.sizeBytes, null), overspent: limit.promise }
}

function asUnreadable(error: unknown): unknown {
  if (error instanceof UnreadableBook || error instanceof AppError) return error
  if (error instanceof Error && error.name === 'PasswordException') {
    return new UnreadableBook('encrypted', 'the document needs a password')
  }
  return new UnreadableBook('damaged', error instanceof Error ? error.message.slice(0, 200) : 'unknown')
}
