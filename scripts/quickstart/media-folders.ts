import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

export type MediaFolder = { name: string; type: string; path: string }

/** Common folder names by library type. Compared without case, spaces, dots, `-` and `_`. */
const COMMON_NAMES: Readonly<Record<string, readonly string[]>> = {
  movie: ['movies', 'movie', 'films', 'film', 'cinema', 'filme', 'peliculas'],
  series: ['series', 'tv', 'tvshows', 'tvseries', 'shows', 'television', 'serien'],
  music: ['music', 'songs', 'albums', 'musik', 'musica', 'musique'],
  audiobook: ['audiobooks', 'audiobook', 'hoerbuecher', 'hörbücher'],
  photo: ['photos', 'photo', 'pictures', 'images', 'fotos', 'bilder'],
  book: ['books', 'book', 'ebooks', 'comics', 'bücher', 'libros'],
  video: ['videos', 'video', 'homevideos', 'clips'],
}

const TYPE_BY_NAME = new Map(
  Object.entries(COMMON_NAMES).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
)

/**
 * The folders to create libraries for: one for each folder with a common name; without any, the whole folder becomes a film library.
 * @returns folders in order of their names, and the names of unrecognised folders beside recognised ones
 */
export function findMediaFolders(root: string): { folders: MediaFolder[]; unrecognised: string[] } {
  const names = readdirSync(root)
    .filter((name) => !name.startsWith('.') && isFolder(join(root, name)))
    .toSorted()
  const folders = names.flatMap((name) => {
    const type = TYPE_BY_NAME.get(
      name
        .normalize('NFC')
        .toLowerCase()
        .replaceAll(/[\s._-]/g, ''),
    )
    return type === undefined ? [] : [{ name, type, path: join(root, name) }]
  })
  if (folders.length === 0) return { folders: [{ name: basename(root), type: 'movie', path: root }], unrecognised: [] }
  const taken = new Set(folders.map(({ name }) => name))
  return { folders, unrecognised: names.filter((name) => !taken.has(name)) }
}

/** Symbolic links are followed, because media are often on another disk. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
