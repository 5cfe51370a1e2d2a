import { foldTitle, normalizedTitleWords } from '../text/fold-title.ts'
import { pathSegments, withoutExtension } from '../text/name-text.ts'
import {
  isAbbreviatedName,
  isDiscFolder,
  isUninformativeName,
  isCategoryFolder,
} from '../release/uninformative-names.ts'
import { parseReleaseName, type ReleaseName } from '../release/release-name.ts'

type MovieName = Omit<ReleaseName, 'isDescriptive'>

/**
 * Parses the path of a film, relative to its library folder. The file name has priority; the folder name is used if it has more
 * information: `Film (2001)/disc.mkv`, `Film.2001.1080p-GRP/grp-flm.mkv`. Never fails: the title is at least the file name.
 */
export function parseMovieName(pathInsideRoot: string): MovieName {
  const segments = pathSegments(pathInsideRoot)
  const stem = withoutExtension(segments.at(-1) ?? '')
  const file = parseReleaseName(stem)
  const folder = withLeadingYear(describingFolder(segments.slice(0, -1)), file)
  if (folder === undefined) return merged(file, file)
  if (isFolderMoreInformative(folder, file, stem) || isIdentified(folder, file)) return merged(folder, file)
  // A different year means another film, and the other values of the folder are ignored.
  const isSame = folder.year === null || file.year === null || folder.year === file.year
  return isSame && foldTitle(folder.title) === foldTitle(file.title) ? merged(file, folder) : merged(file, file)
}

/** `2010 Iron Man 2/Iron Man 2.mkv`: the file name decides which part of the folder name is the title. */
function withLeadingYear(folder: ReleaseName | undefined, file: ReleaseName): ReleaseName | undefined {
  const [, year, title] = /^((?:18[89]|19\d|20[0-3])\d) (\S.*)$/.exec(folder?.title ?? '') ?? []
  if (folder?.year !== null || title === undefined || normalizedTitleWords(title) !== normalizedTitleWords(file.title))
    return folder
  return { ...folder, title, year: Number(year) }
}

/** The nearest folder that may be named after the film. */
function describingFolder(folders: string[]): ReleaseName | undefined {
  const name = folders.findLast((folder) => !isDiscFolder(folder))
  if (name === undefined) return undefined
  const parsed = parseReleaseName(name)
  return isCategoryFolder(parsed.title) && parsed.year === null ? undefined : parsed
}

/**
 * Whether the ids of a folder belong to the film in it, whatever the two names: `Amélie (2001) {imdb-tt0211915}/Le Fabuleux
 * Destin.2001.mkv`. Different years exclude this, and a folder without a year may be the folder of a collection.
 */
function isIdentified(folder: ReleaseName, file: ReleaseName): boolean {
  if (Object.keys(folder.providerIds).length === 0) return false
  const isSameTitle = normalizedTitleWords(folder.title) === normalizedTitleWords(file.title)
  if (folder.year === null) return isSameTitle
  return file.year === null || file.year === folder.year
}

function isFolderMoreInformative(folder: ReleaseName, file: ReleaseName, stem: string): boolean {
  if (isUninformativeName(stem, file)) return true
  const [folderTitle, fileTitle] = [foldTitle(folder.title), foldTitle(file.title)]
  if (file.year === null) {
    return (
      folder.year !== null || (folder.isDescriptive && isAbbreviatedName(stem)) || fileTitle.endsWith(`-${folderTitle}`)
    )
  }
  // Wonder Woman 1984 (2020)/Wonder Woman 1984.mkv: the number in the file name belongs to the title.
  if (folder.year !== null && folderTitle === `${fileTitle} ${file.year}`) return true
  if (folder.year !== file.year) return false
  // The same title with better spelling; numbered as the first of several; or with a prefix of the release group.
  if (folderTitle === fileTitle) return isAbbreviatedName(stem)
  return fileTitle === `${folderTitle} 1` || [' ', '-'].some((before) => fileTitle.endsWith(before + folderTitle))
}

/** Title and year of the better name; missing values come from the other. Part and edition come from the file only. */
function merged(better: ReleaseName, other: ReleaseName): MovieName {
  return {
    title: better.title,
    year: better.year ?? other.year,
    edition: better.edition ?? other.edition,
    part: better.part ?? other.part,
    providerIds: { ...other.providerIds, ...better.providerIds },
  }
}
