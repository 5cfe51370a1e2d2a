import { posix } from 'node:path'
import type { ByteSource } from '../../platform/files/index.ts'
import { decodeSidecarText } from '../sidecars/decode-sidecar-text.ts'
import { readOpf } from '../sidecars/read-opf.ts'
import { findChild, findChildren, parseXml } from '../../platform/xml/index.ts'
import { UnreadableBook, type ProbedBook } from './probed-book.ts'
import { openBookArchive, type BookArchive } from './book-archive.ts'

const CONTAINER = 'META-INF/container.xml'
const MAX_CONTAINER_BYTES = 64 * 1024
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024

/** Common location of a cover that the manifest does not name. */
const USUAL_COVER = /(?:^|\/)cover\.(?:jpe?g|png|webp|gif)$/i

/**
 * Reads an EPUB. `META-INF/container.xml` names the package document, which contains the metadata and names the cover
 * (https://www.w3.org/TR/epub-33/#sec-container-metainf). Reflowable books have no page count.
 * @throws UnreadableBook
 */
export async function readEpub(source: ByteSource): Promise<ProbedBook> {
  const archive = await openBookArchive(source)
  const packagePath = await packagePathOf(archive)
  const bytes = await archive.read(packagePath, MAX_PACKAGE_BYTES)
  if (bytes === undefined) throw new UnreadableBook('damaged', 'the package document is missing')
  const outcome = readOpf(decodeSidecarText(bytes))
  if (outcome.kind === 'broken') throw new UnreadableBook('damaged', `the package document: ${outcome.reason}`)
  const entry = coverEntryOf(archive, packagePath, outcome.coverHref)
  return {
    format: 'epub',
    metadata: outcome.metadata,
    pageCount: null,
    cover: entry === null ? null : { entry },
  }
}

async function packagePathOf(archive: BookArchive): Promise<string> {
  const bytes = await archive.read(CONTAINER, MAX_CONTAINER_BYTES)
  const xml = bytes === undefined ? undefined : parseXml(decodeSidecarText(bytes))
  const container = xml?.kind === 'read' ? xml.roots.find(({ name }) => name === 'container') : undefined
  const paths = findChildren(findChild(container, 'rootfiles'), 'rootfile').map(({ attributes }) =>
    attributes.get('full-path'),
  )
  // Books without a container file are often intact otherwise.
  const path = paths.find((path) => path !== undefined) ?? archive.names.find((name) => name.endsWith('.opf'))
  if (path === undefined) throw new UnreadableBook('damaged', 'no package document')
  return path
}

/** Resolves the cover's address, which is percent-encoded and relative to the package document. It must exist in the archive. */
function coverEntryOf(archive: BookArchive, packagePath: string, href: string | null): string | null {
  const entries = new Set(archive.names)
  const named = href === null ? '' : posix.join(posix.dirname(packagePath), decoded(href.replace(/#.*$/, '')))
  if (entries.has(named) && /\.(?:jpe?g|png|webp|gif)$/i.test(named)) return named
  return archive.names.find((name) => USUAL_COVER.test(name)) ?? null
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
