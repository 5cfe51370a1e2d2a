import { mediaFileKind } from '../../platform/files/index.ts'
import { normalizeStem, fileStem } from './file-stem.ts'
import type { CompanionFile, FolderContents } from './media-kind.ts'

/** Sidecar files of a book, the most trusted last. */
const SIDECAR_PATTERNS: readonly RegExp[] = [
  /\.cue$/i,
  /\.nfo$/i,
  /^(?:desc|reader)\.txt$/i,
  /\.opf$/i,
  /^metadata\.json$/i,
]

const COVERS = ['cover', 'folder', 'front', 'poster']
const PICTURE = /\.(?:jpe?g|png|webp|gif|bmp|avif)$/i

/**
 * Returns the sidecar files of a single-file book, the most trusted last.
 * @param file the book's file name if the folder is shared, so that only files of the same name apply
 */
export function audiobookSidecars(names: readonly string[], file: string | null): string[] {
  const mine = file === null ? names : names.filter((name) => foldedStemOf(name) === foldedStemOf(file))
  return SIDECAR_PATTERNS.flatMap((pattern) => mine.filter((name) => pattern.test(name)))
}

/** Returns the pictures of a folder's books, and the sidecars of a book in several files. */
export function audiobookCompanions(
  { pathInsideRoot, names }: FolderContents,
  audio: readonly string[],
  isSeveral: boolean,
): CompanionFile[] {
  const pictures = names.filter((name) => mediaFileKind(name) === 'photo' && PICTURE.test(name))
  if (pathInsideRoot === '') {
    return audio.flatMap((file) =>
      pictures.filter((name) => foldedStemOf(name) === foldedStemOf(file)).map((name) => poster(name, file)),
    )
  }
  const cover = pictures.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))[0]
  // A cue sheet describes a single file; a book in several files has its chapters elsewhere.
  const bookSidecars = isSeveral ? audiobookSidecars(names, null).filter((name) => !/\.cue$/i.test(name)) : []
  return [
    ...(cover === undefined ? [] : [poster(cover, null)]),
    ...bookSidecars.map((name) => ({ name, kind: 'nfo' as const, of: null, details: {} })),
  ]
}

function poster(name: string, of: string | null): CompanionFile {
  return { name, kind: 'poster', of, details: {} }
}

function rankOf(name: string): number {
  const rank = COVERS.indexOf(foldedStemOf(name))
  return rank === -1 ? COVERS.length : rank
}

function foldedStemOf(name: string): string {
  return normalizeStem(fileStem(name))
}
