import { compareNaturally } from './natural-order.ts'
import { foldTitle } from './fold-title.ts'
import { parseMovieName } from './movie-name.ts'

/** A disc of a film as files: the folder that it is called after, and the file that holds the film. */
export type DiscStructure = {
  kind: 'dvd' | 'bluray'
  /** Above `VIDEO_TS` or `BDMV/STREAM`, relative to the library folder; '' for that itself. */
  folder: string
  /** The largest file that is no menu; of equal ones the first. A DVD cuts its film into files of one gigabyte. */
  mainFile: string
}

const BLURAY = /^(?:(.*)\/)?bdmv\/stream$/i
const DVD = /^(?:(.*)\/)?video_ts$/i
const DVD_FILE = /^(?:video_ts|vts_\d\d_\d)\.vob$/i
const DVD_MENU = /^(?:video_ts|vts_\d\d_0)\.vob$/i

/**
 * Reads a folder as that of a DVD (`VIDEO_TS`, or its files without that folder) or Blu-ray (`BDMV/STREAM`); undefined for another one,
 * and for one without a film. Source: DVD-Video and BDMV folder layouts; Jellyfin's and Kodi's folder names.
 * @param videos names of its video files; `sizeOf` their bytes
 */
export function discStructureOf(
  pathInsideRoot: string,
  videos: readonly string[],
  sizeOf: (name: string) => number,
): DiscStructure | undefined {
  const bluray = BLURAY.exec(pathInsideRoot)
  const dvd = DVD.exec(pathInsideRoot)
  if (bluray === null && dvd === null && !videos.some((name) => DVD_FILE.test(name))) return undefined
  const films = videos.filter((name) => !DVD_MENU.test(name))
  const [mainFile] = (films.length > 0 ? films : [...videos]).toSorted(
    (one, other) => sizeOf(other) - sizeOf(one) || compareNaturally(one, other),
  )
  if (mainFile === undefined) return undefined
  if (bluray !== null) return { kind: 'bluray', folder: bluray[1] ?? '', mainFile }
  return { kind: 'dvd', folder: dvd === null ? pathInsideRoot : (dvd[1] ?? ''), mainFile }
}

/** `CD 2`, `Disc02`, and what lies on such a disc; `Part 2` may be another film. */
const NUMBERED = /^(.+)\/((?:cd|dvd|dis[ck])[ _.-]?)(\d{1,2})(\/(?:video_ts|bdmv\/stream))?$/i

/**
 * Which part of a film the only film of a folder is: of `Film/CD2/film.avi` the second one of what lies in `Film/CD1`. Null for the
 * first, for other folders, and where the file names another film than the folder (`Hitchcock/Disc 2/The Birds (1963).mkv`).
 * @param fileName as far as it tells; of a disc's files any
 */
export function discPartOf(folderInsideRoot: string, fileName: string): { part: number; firstFolder: string } | null {
  const [, film = '', word = '', digits = '', inside = ''] = NUMBERED.exec(folderInsideRoot) ?? []
  const number = Number(digits)
  if (!(number > 1)) return null
  const own = parseMovieName(`${folderInsideRoot}/${fileName}`)
  const isOfFolder = foldTitle(own.title) === foldTitle(parseMovieName(`${film}/movie.avi`).title)
  if (!isOfFolder && own.part !== number) return null
  return { part: number, firstFolder: `${film}/${word}${'1'.padStart(digits.length, '0')}${inside}` }
}
