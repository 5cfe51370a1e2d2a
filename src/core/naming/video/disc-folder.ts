import { compareNaturally } from '../text/natural-order.ts'
import { foldTitle } from '../text/fold-title.ts'
import { parseMovieName } from './movie-name.ts'

/** A film as the files of a disc: the folder that names it, and its main file. */
export type DiscStructure = {
  kind: 'dvd' | 'bluray'
  /** The folder above `VIDEO_TS` or `BDMV/STREAM`, relative to the library folder; '' for the library folder itself. */
  folder: string
  /** The first file of the film. */
  mainFile: string
  /** The following files: a DVD splits the film into files of one gigabyte. */
  furtherFiles: readonly string[]
}

const BLURAY = /^(?:(.*)\/)?bdmv\/stream$/i
const DVD = /^(?:(.*)\/)?video_ts$/i
const DVD_FILE = /^(?:video_ts|vts_\d\d_\d)\.vob$/i
const DVD_MENU = /^(?:video_ts|vts_\d\d_0)\.vob$/i
/** Title set, and its piece. */
const DVD_PIECE = /^vts_(\d\d)_[1-9]\.vob$/i

/**
 * Detects the folder of a DVD (`VIDEO_TS`, or its files without that folder) or a Blu-ray (`BDMV/STREAM`); undefined for other folders and
 * for discs without a film. The film of a DVD is its largest title set, and the film of a Blu-ray is its largest file; among equals the
 * first one. Source: DVD-Video and BDMV folder layouts; Jellyfin's and Kodi's folder names.
 * @param videos names of its video files; `fileSizeOrZero` their bytes
 */
export function detectDiscStructure(
  pathInsideRoot: string,
  videos: readonly string[],
  sizeOf: (name: string) => number,
): DiscStructure | undefined {
  const bluray = BLURAY.exec(pathInsideRoot)
  const dvd = DVD.exec(pathInsideRoot)
  if (bluray === null && dvd === null && !videos.some((name) => DVD_FILE.test(name))) return undefined
  const films = videos.filter((name) => !DVD_MENU.test(name))
  const [[mainFile, ...furtherFiles] = []] = titleSetsOf(films.length > 0 ? films : videos)
    .map((files) => ({ files, bytes: files.reduce((sum, name) => sum + sizeOf(name), 0) }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ files }) => files)
  if (mainFile === undefined) return undefined
  const found = { mainFile, furtherFiles }
  if (bluray !== null) return { kind: 'bluray', folder: bluray[1] ?? '', ...found }
  return { kind: 'dvd', folder: dvd === null ? pathInsideRoot : (dvd[1] ?? ''), ...found }
}

/** The pieces of each title set in their order; any other file is a set by itself. */
function titleSetsOf(names: readonly string[]): string[][] {
  const sets = Map.groupBy(names.toSorted(compareNaturally), (name) => DVD_PIECE.exec(name)?.[1] ?? name)
  return [...sets.values()]
}

/** `CD 2`, `Disc02`, and the folders of such a disc; `Part 2` may be another film. */
const NUMBERED = /^(.+)\/((?:cd|dvd|dis[ck])[ _.-]?)(\d{1,2})(\/(?:video_ts|bdmv\/stream))?$/i

/**
 * The part number of the only film of a folder: `Film/CD2/film.avi` is the second part of the film in `Film/CD1`. Null for the first
 * part, for other folders, and if the file names another film than the folder (`Hitchcock/Disc 2/The Birds (1963).mkv`).
 * @param fileName the file name, as far as it is significant; for a disc any of its files
 */
export function parseDiscPart(
  folderInsideRoot: string,
  fileName: string,
): { part: number; firstFolder: string } | null {
  const numbered = numberedDisc(folderInsideRoot, fileName)
  if (numbered === null || !(numbered.number > 1)) return null
  const { film, word, number, digits, inside } = numbered
  return { part: number, firstFolder: `${film}/${word}${'1'.padStart(digits.length, '0')}${inside}` }
}

const DISC_INSIDE = /\/(?:video_ts|bdmv\/stream)$/i

/**
 * The folder of a film whose files are in subfolders: `Film` of `Film/VIDEO_TS`, `Film/BDMV/STREAM`, `Film/CD1` and `Film/Disc
 * 2/VIDEO_TS`; for other films the folder itself. `fileName` as for `parseDiscPart`.
 */
export function findFilmFolder(folderInsideRoot: string, fileName: string): string {
  return numberedDisc(folderInsideRoot, fileName)?.film ?? folderInsideRoot.replace(DISC_INSIDE, '')
}

type NumberedDisc = { film: string; word: string; digits: string; number: number; inside: string }

function numberedDisc(folderInsideRoot: string, fileName: string): NumberedDisc | null {
  const match = NUMBERED.exec(folderInsideRoot)
  if (match === null) return null
  const [, film = '', word = '', digits = '', inside = ''] = match
  const number = Number(digits)
  const own = parseMovieName(`${folderInsideRoot}/${fileName}`)
  const isOfFolder = foldTitle(own.title) === foldTitle(parseMovieName(`${film}/movie.avi`).title)
  return isOfFolder || own.part === number ? { film, word, digits, number, inside } : null
}
