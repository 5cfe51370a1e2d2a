import { basename, extname } from 'node:path'
import { parseBookPath, parseComicPath, sortTitle } from '../../naming/index.ts'
import { groupBookSets, type BookSet } from './book-sets.ts'
import { fileStem } from './file-stem.ts'
import { issueSortKey, mergeBookMetadata, bookFactsFromName } from './book-metadata.ts'
import type { CompanionFile, Identification, MediaKind, PlannedFile } from './media-kind.ts'

/**
 * Books and comics: each is an item of type `book`; other formats of the same book in its folder are versions of it. An OPF sidecar takes
 * precedence over embedded metadata, which takes precedence over the name.
 */
export const bookKind: MediaKind = {
  fileKinds: ['book', 'photo', 'sidecar'],
  planFolder({ pathInsideRoot, names }) {
    const files = new Map<string, PlannedFile>()
    const companions: CompanionFile[] = []
    for (const set of groupBookSets({ pathInsideRoot, names })) {
      for (const [order, name] of set.names.entries())
        files.set(name, plannedFile(pathInsideRoot, { set, name, order }))
      const [first] = set.names
      if (first === undefined) continue
      for (const name of set.covers) companions.push({ name, kind: 'poster', of: first, details: {} })
    }
    return { files, companions, group: null }
  },
  describe({ identification, groups }, facts, local) {
    const merged = mergeBookMetadata({ book: facts?.book, local })
    const title = merged.title ?? identification.name
    return {
      identification: {
        ...identification,
        name: title,
        sortTitle:
          merged.title === null
            ? identification.sortTitle
            : (merged.sortTitle ?? merged.issueOrder ?? sortTitle(title)),
        year: merged.publishedYear ?? identification.year ?? merged.embeddedYear,
      },
      groups,
      nameSource: merged.title === null ? 'file' : 'local',
      localMetadata: merged.metadata,
    }
  },
}

function plannedFile(
  pathInsideRoot: string,
  { set, name, order }: { set: BookSet; name: string; order: number },
): PlannedFile {
  const [first = name] = set.names
  const label = name.slice(fileStem(name).length + 1).toUpperCase()
  const role = order === 0 ? null : { kind: 'version' as const, of: { file: first }, label, order }
  const identification = identify(pathInsideRoot === '' ? name : `${pathInsideRoot}/${name}`)
  return { as: 'book', identification, groups: [], role, sidecars: set.sidecars }
}

const COMICS: ReadonlySet<string> = new Set(['.cbz', '.cbr'])

/** Identifies a book by its path. An issue without a title is named after its series. Issues are sorted by number. */
function identify(path: string): Identification {
  const isComic = COMICS.has(extname(path).toLowerCase())
  const { title, series, index, volume, year, authors } = isComic ? parseComicPath(path) : parseBookPath(path)
  const stem = fileStem(basename(path))
  const name = spaced(title ?? stem)
  const isIssue = isComic || title === null
  const order = isIssue && series !== null && index !== null ? issueSortKey(series, String(index)) : name
  const metadata = bookFactsFromName({ title: name, year, authors, series, index, volume })
  return { type: 'book', name, sortTitle: sortTitle(order), year, metadata }
}

/** Replaces underscores by spaces, as in `The_Time_Machine`. */
function spaced(name: string): string {
  const text = name.includes(' ') ? name : name.replaceAll(/_+/g, ' ').trim()
  return text === '' ? name : text
}
