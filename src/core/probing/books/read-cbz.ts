import type { ByteSource } from '../../platform/files/index.ts'
import { decodeSidecarText } from '../sidecars/decode-sidecar-text.ts'
import { emptyMetadata } from '../sidecars/local-metadata.ts'
import { readComicInfo, type ComicInfoOutcome } from '../sidecars/read-comic-info.ts'
import { UnreadableBook, type ProbedBook } from './probed-book.ts'
import { openBookArchive, type BookArchive } from './book-archive.ts'

const MAX_COMIC_INFO_BYTES = 2 * 1024 * 1024
const PAGE = /\.(?:jpe?g|png|webp|gif|bmp|avif|jxl)$/i

/** Locale-independent natural order: `2.jpg` before `10.jpg`. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Reads a comic in a ZIP archive: its pictures in natural order are the pages, ComicInfo.xml at the top level holds the metadata. A
 * broken ComicInfo is ignored.
 * @throws UnreadableBook also if there are no pages
 */
export async function readCbz(source: ByteSource): Promise<ProbedBook> {
  const archive = await openBookArchive(source)
  const pages = listComicPages(archive.names)
  const [first] = pages
  if (first === undefined) throw new UnreadableBook('damaged', 'the archive holds no pictures')
  const info = await comicInfoOf(archive)
  const coverPage = info?.kind === 'read' ? info.coverPage : null
  return {
    format: 'cbz',
    metadata: info?.kind === 'read' ? info.metadata : emptyMetadata('comic'),
    pageCount: pages.length,
    cover: { entry: pages[coverPage ?? 0] ?? first },
  }
}

/** Returns the page names of an archive in reading order, without hidden files and files that macOS adds. */
export function listComicPages(names: readonly string[]): string[] {
  return names
    .filter((name) => PAGE.test(name) && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name))
    .toSorted((a, b) => natural.compare(a, b) || (a < b ? -1 : 1))
}

async function comicInfoOf(archive: BookArchive): Promise<ComicInfoOutcome | undefined> {
  const name = archive.names.find((entry) => entry.toLowerCase() === 'comicinfo.xml')
  if (name === undefined) return undefined
  try {
    const bytes = await archive.read(name, MAX_COMIC_INFO_BYTES)
    return bytes === undefined ? undefined : readComicInfo(decodeSidecarText(bytes))
  } catch (error) {
    if (error instanceof UnreadableBook) return undefined
    throw error
  }
}
