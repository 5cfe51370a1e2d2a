import { mediaKindOf } from '../../platform/files/index.ts'
import type { BesideFile, FolderView } from './media-kind.ts'

/** Files that tell about a book, the most trusted last (design, scanning 3, Audiobooks). */
const TELLING: readonly RegExp[] = [/\.cue$/i, /\.nfo$/i, /^(?:desc|reader)\.txt$/i, /\.opf$/i, /^metadata\.json$/i]

const COVERS = ['cover', 'folder', 'front', 'poster']
const PICTURE = /\.(?:jpe?g|png|webp|gif|bmp|avif)$/i

/**
 * The files that tell about a book in one file, the most trusted last.
 * @param file its name, where the folder is not its own and only files of the same name are about it
 */
export function sidecarsOfBook(names: readonly string[], file: string | null): string[] {
  const mine = file === null ? names : names.filter((name) => stemOf(name) === stemOf(file))
  return TELLING.flatMap((pattern) => mine.filter((name) => pattern.test(name)))
}

/** Pictures of the books of a folder, and what tells about a book in several files. */
export function besideBook(
  { pathInsideRoot, names }: FolderView,
  audio: readonly string[],
  isSeveral: boolean,
): BesideFile[] {
  const pictures = names.filter((name) => mediaKindOf(name) === 'photo' && PICTURE.test(name))
  if (pathInsideRoot === '') {
    return audio.flatMap((file) =>
      pictures.filter((name) => stemOf(name) === stemOf(file)).map((name) => poster(name, file)),
    )
  }
  const cover = pictures.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))[0]
  // The marks of a cue sheet are of one file; a book in several has its chapters elsewhere.
  const telling = isSeveral ? sidecarsOfBook(names, null).filter((name) => !/\.cue$/i.test(name)) : []
  return [
    ...(cover === undefined ? [] : [poster(cover, null)]),
    ...telling.map((name) => ({ name, kind: 'nfo' as const, of: null, details: {} })),
  ]
}

function poster(name: string, of: string | null): BesideFile {
  return { name, kind: 'poster', of, details: {} }
}

function rankOf(name: string): number {
  const rank = COVERS.indexOf(stemOf(name))
  return rank === -1 ? COVERS.length : rank
}

function stemOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.')).toLowerCase()
}
