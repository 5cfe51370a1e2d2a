import { mediaFileKind, type MediaFileKind } from '../../platform/files/index.ts'
import { normalizedTitleWords } from '../text/fold-title.ts'
import { isDiscFolder, isCategoryFolder } from '../release/uninformative-names.ts'
import { parseReleaseName } from '../release/release-name.ts'
import { parseSeasonFolder } from '../numbering/season-folder.ts'

/** The type of a file that belongs to a film or an episode. */
export type ExtraType =
  | 'trailer'
  | 'featurette'
  | 'behind_the_scenes'
  | 'interview'
  | 'clip'
  | 'deleted_scene'
  | 'scene'
  | 'short'
  | 'sample'
  | 'theme_song'
  | 'theme_video'
  | 'other'

type Rule = { type: ExtraType; kind: MediaFileKind }

const video = (type: ExtraType): Rule => ({ type, kind: 'video' })
const audio = (type: ExtraType): Rule => ({ type, kind: 'audio' })

/** Folders whose files are extras of the film in the parent folder. */
const FOLDERS: ReadonlyMap<string, Rule> = new Map([
  ['trailer', video('trailer')],
  ['featurette', video('featurette')],
  ['behind the scene', video('behind_the_scenes')],
  ['making of', video('behind_the_scenes')],
  ['interview', video('interview')],
  ['clip', video('clip')],
  ['deleted scene', video('deleted_scene')],
  ['scene', video('scene')],
  ['short', video('short')],
  ['sample', video('sample')],
  ['backdrop', video('theme_video')],
  ['theme music', audio('theme_song')],
  ['extra', video('other')],
  ['other', video('other')],
  ['bonus', video('other')],
  ['bonus feature', video('other')],
  ['bonus material', video('other')],
  ['special feature', video('other')],
])

function ruleOfFolder(name: string): Rule | undefined {
  const words = name.toLowerCase().replaceAll(/[\s._-]+/g, ' ')
  return FOLDERS.get(words) ?? FOLDERS.get(words.replace(/s$/, ''))
}

/** Complete file names of extras of the film in the same folder, or of the theme of a library or series. */
const FILE_NAMES: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['trailer', [video('trailer')]],
  ['sample', [video('sample')]],
  // A song may be named `theme.mp4`.
  ['theme', [audio('theme_song'), video('theme_song')]],
  ['backdrop', [video('theme_video')]],
])

/** Endings of file names, after `-`, `_`, `.` or ` - `, with or without a number. Not after a space: The DNA Sample. */
const ENDINGS: ReadonlyMap<string, ExtraType> = new Map([
  ['trailer', 'trailer'],
  ['teaser', 'trailer'],
  ['sample', 'sample'],
  ['scene', 'scene'],
  ['clip', 'clip'],
  ['interview', 'interview'],
  ['behindthescenes', 'behind_the_scenes'],
  ['deleted', 'deleted_scene'],
  ['deletedscene', 'deleted_scene'],
  ['deletedscenes', 'deleted_scene'],
  ['featurette', 'featurette'],
  ['short', 'short'],
  ['extra', 'other'],
  ['other', 'other'],
])

const ENDING = /(?:[-_.]| - )((?:behind-the|deleted)-[a-z]{5,6}|[a-z]{4,15})\d{0,3}$/
/** `Casablanca-x02-Making_Of` */
const NUMBERED = /.-x\d{2}(?:-|$)/
/** `Show.S05.EXTRAS.DVDRip`, as the name of a file or of its folder. */
const OF_SEASON = /[ ._]s\d{1,3}[ ._]?extras(?:[ ._]|$)/

/**
 * The kind of extra of a file, of a film, a season or a series, or undefined for a film or an episode. The path is relative to the library
 * folder, so that files in a library folder that is itself called `trailers` are films.
 */
export function detectExtraType(pathInsideRoot: string): ExtraType | undefined {
  const segments = pathInsideRoot.toLowerCase().split('/')
  const fileName = segments.at(-1) ?? ''
  const kind = mediaFileKind(fileName)
  const stem = fileName.slice(0, fileName.lastIndexOf('.'))
  const ending = kind === 'video' ? extraTypeFromSuffix(stem) : undefined
  const folder = isNamesake(segments, stem) ? undefined : ruleAbove(segments.slice(0, -1))
  // In a folder `Trailers` the ending of the file name has priority over the folder.
  if (folder?.type === 'trailer' && ending !== undefined) return ending
  const rule = [folder, ...(FILE_NAMES.get(stem) ?? [])].find((one) => one?.kind === kind)
  if (rule !== undefined) return rule.type
  if (kind !== 'video') return undefined
  return ending ?? spacedEndingOf(stem) ?? numberedType(stem, segments.at(-2) ?? '')
}

function numberedType(stem: string, folder: string): ExtraType | undefined {
  return NUMBERED.test(stem) || OF_SEASON.test(stem) || OF_SEASON.test(folder) ? 'other' : undefined
}

/**
 * `Interview/Interview.mkv` in a category folder, even if the folder is named like a kind of extras (`Movies/Shorts/Clip/Clip.mkv`): a film
 * with that title.
 */
function isNamesake(segments: readonly string[], stem: string): boolean {
  const folder = segments.at(-2) ?? ''
  if (segments.length > 2 && !isCategoryOfTitles(segments.slice(0, -2))) return false
  return (
    normalizedTitleWords(folder) !== 'trailer' &&
    normalizedTitleWords(folder) !== 'sample' &&
    normalizedTitleWords(folder) === normalizedTitleWords(stem)
  )
}

function isCategoryOfTitles(folders: readonly string[]): boolean {
  const name = folders.at(-1) ?? ''
  return isCategoryFolder(name) || (ruleOfFolder(name) !== undefined && !hasExtras(folders.slice(0, -1)))
}

/**
 * Whether a folder certainly belongs to a film, by its year or id, or to a season. In any other, `Shorts` may be a category folder of
 * films.
 */
function hasExtras(folders: readonly string[]): boolean {
  const [parent = '', name = ''] = ['', ...folders].slice(-2)
  if (ruleOfFolder(name) !== undefined) return false
  const { title, year, providerIds } = parseReleaseName(name)
  const isIdentified = year !== null || Object.keys(providerIds).length > 0
  return (isIdentified && !isCategoryFolder(title)) || parseSeasonFolder(name, parent, false) !== null
}

/** The folder of extras that contains a file: the nearest one, for `Extras/Interviews` as well as for `Extras/Disc 2`. */
function ruleAbove(folders: readonly string[]): Rule | undefined {
  const at = extraFolderAt(folders)
  return at === -1 ? undefined : ruleOfFolder(folders[at] ?? '')
}

/**
 * The index of the nearest folder of extras in a path, -1 without one. The subfolders of a folder of extras belong to it if they are discs,
 * or if the folder is certainly inside the folder of a film or season. Elsewhere `Shorts/La Luna` is a film in a category folder. A name of
 * a film or a season always means one.
 */
function extraFolderAt(folders: readonly string[]): number {
  const last = folders.length - 1
  const name = folders[last] ?? ''
  if (ruleOfFolder(name) !== undefined) return last
  if (last < 2 || ruleOfFolder(folders[last - 1] ?? '') === undefined) return -1
  if (isDiscFolder(name)) return isCategoryFolder(folders[last - 2] ?? '') ? -1 : last - 1
  const isTitle = parseReleaseName(name).isDescriptive || parseSeasonFolder(name, '') !== null
  return !isTitle && hasExtras(folders.slice(0, -2)) ? last - 1 : -1
}

/** The owner folder of extras: the folder above all folders of extras, `Film` for `Film/Extras/Interviews`. */
export function findExtrasOwnerFolder(pathInsideRoot: string): string {
  const folders = pathInsideRoot.split('/')
  let length = folders.length
  for (;;) {
    const at = extraFolderAt(folders.slice(0, length))
    if (at === -1) return folders.slice(0, length).join('/')
    length = at
  }
}

/** After a year or id in brackets no title follows: `Film (2010) Trailer 2`. */
const SPACED_ENDING =
  /[)\]}] (?:official |theatrical |international |teaser )?(trailer|teaser|featurette|interview|behind the scene|making of|deleted scene)s? ?\d{0,2}$/

function spacedEndingOf(stem: string): ExtraType | undefined {
  const [, word = ''] = SPACED_ENDING.exec(stem.replaceAll(/[_.-]/g, ' ')) ?? []
  return word === 'teaser' ? 'trailer' : FOLDERS.get(word)?.type
}

/** The kind of extra from the end of a name without extension: `Film-trailer2` is a trailer. */
export function extraTypeFromSuffix(stem: string): ExtraType | undefined {
  return ENDINGS.get(ENDING.exec(stem.toLowerCase())?.[1]?.replaceAll('-', '') ?? '')
}

/** The kind of extras in a folder with such a name (`Trailers`), of a film, a season or a series. */
export function extraTypeFromFolder(name: string): ExtraType | undefined {
  return ruleOfFolder(name)?.type
}

/** Whether a file belongs to a film instead of being one. */
export function isExtra(pathInsideRoot: string): boolean {
  return detectExtraType(pathInsideRoot) !== undefined
}
