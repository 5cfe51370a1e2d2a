import { extname } from 'node:path'
import { compareNaturally } from '../../naming/index.ts'
import { normalizeStem, fileStem } from './file-stem.ts'
import type { FolderContents } from './media-kind.ts'

/** A book with its files, one for each format. */
export type BookSet = {
  /** The preferred format first. */
  names: readonly string[]
  /** The most trusted last. */
  sidecars: readonly string[]
  covers: readonly string[]
}

/** Supported formats, the most capable first. */
const FORMATS = ['.epub', '.pdf', '.cbz', '.azw3', '.mobi', '.cbr']

const FOLDER_COVER = /^(?:cover|folder|poster|front)\.(?:jpe?g|png|webp)$/i
const PICTURE = /\.(?:jpe?g|png|webp)$/i
const FOLDER_OPF = 'metadata.opf'

/**
 * Groups the files of a folder by book. Files with the same name and different extensions are one book. All files are one book if a
 * `metadata.opf` exists and no format occurs twice, as Calibre writes it. `metadata.opf` and `cover.jpg` apply only if the folder
 * contains one book; `<name>.opf` and `<name>.jpg` always apply.
 */
export function groupBookSets({ pathInsideRoot, names }: FolderContents): BookSet[] {
  const books = names.filter((name) => rankOf(name) >= 0)
  const folderOpf = names.find((name) => name.toLowerCase() === FOLDER_OPF)
  const isOneBook = pathInsideRoot !== '' && folderOpf !== undefined && hasEachFormatOnce(books)
  const groups = [...Map.groupBy(books, (name) => (isOneBook ? '' : keyOf(name))).values()]
  const others = Map.groupBy(
    names.filter((name) => rankOf(name) < 0 && name !== folderOpf),
    keyOf,
  )
  const isAlone = groups.length === 1
  return groups.map((group) => {
    const own = [...new Set(group.map(keyOf))].flatMap((key) => others.get(key) ?? [])
    const shared = isAlone ? names.filter((name) => FOLDER_COVER.test(name)) : []
    return {
      names: group.toSorted((a, b) => rankOf(a) - rankOf(b) || compareNaturally(a, b)),
      sidecars: [
        ...(isAlone && folderOpf !== undefined ? [folderOpf] : []),
        ...own.filter((name) => extname(name).toLowerCase() === '.opf'),
      ],
      covers: [...new Set([...own.filter((name) => PICTURE.test(name)), ...shared])],
    }
  })
}

function hasEachFormatOnce(books: readonly string[]): boolean {
  return new Set(books.map(rankOf)).size === books.length
}

/** Returns the rank of a format; -1 if it is not a book. */
function rankOf(name: string): number {
  return FORMATS.indexOf(extname(name).toLowerCase())
}

function keyOf(name: string): string {
  return normalizeStem(fileStem(name))
}
