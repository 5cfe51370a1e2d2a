import { mediaKindOf, type MediaKind } from '../platform/files/index.ts'

/** What a file beside a film or an episode is, when it is neither. */
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

type Rule = { type: ExtraType; kind: MediaKind }

const video = (type: ExtraType): Rule => ({ type, kind: 'video' })
const audio = (type: ExtraType): Rule => ({ type, kind: 'audio' })

/** Folders whose files are extras of the film in the folder above. */
const FOLDERS: ReadonlyMap<string, Rule> = new Map([
  ['trailers', video('trailer')],
  ['trailer', video('trailer')],
  ['featurettes', video('featurette')],
  ['behind the scenes', video('behind_the_scenes')],
  ['interviews', video('interview')],
  ['clips', video('clip')],
  ['deleted scenes', video('deleted_scene')],
  ['scenes', video('scene')],
  ['shorts', video('short')],
  ['samples', video('sample')],
  ['sample', video('sample')],
  ['backdrops', video('theme_video')],
  ['theme-music', audio('theme_song')],
  ['extra', video('other')],
  ['extras', video('other')],
  ['other', video('other')],
])

/** Whole names of files that are extras of their folder's film, or the theme of a library or series (document 2, Theme media). */
const FILE_NAMES: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['trailer', [video('trailer')]],
  ['sample', [video('sample')]],
  // A song may come as `theme.mp4`.
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
 * What kind of extra a file is, of a film, a season or a series, or undefined for a film or an episode. The path is relative to the
 * library folder, so that a library which is itself called `trailers` holds films.
 */
export function extraTypeOf(pathInsideRoot: string): ExtraType | undefined {
  const segments = pathInsideRoot.toLowerCase().split('/')
  const fileName = segments.at(-1) ?? ''
  const kind = mediaKindOf(fileName)
  const stem = fileName.slice(0, fileName.lastIndexOf('.'))
  const ending = kind === 'video' ? extraEndingOf(stem) : undefined
  const folder = FOLDERS.get(segments.at(-2) ?? '')
  // A folder `Trailers` holds all kinds whose names say so.
  if (folder?.type === 'trailer' && ending !== undefined) return ending
  const rule = [folder, ...(FILE_NAMES.get(stem) ?? [])].find((one) => one?.kind === kind)
  if (rule !== undefined) return rule.type
  if (kind !== 'video') return undefined
  const isOther = NUMBERED.test(stem) || OF_SEASON.test(stem) || OF_SEASON.test(segments.at(-2) ?? '')
  return ending ?? (isOther ? 'other' : undefined)
}

/** What the end of a name without extension says that a video is: `Film-trailer2` is a trailer. */
export function extraEndingOf(stem: string): ExtraType | undefined {
  return ENDINGS.get(ENDING.exec(stem.toLowerCase())?.[1]?.replaceAll('-', '') ?? '')
}

/** What the files of a folder are when its name makes them extras (`Trailers`), of a film, a season or a series. */
export function extraFolderType(name: string): ExtraType | undefined {
  return FOLDERS.get(name.toLowerCase())?.type
}

/** Whether a file belongs to a film instead of being one. */
export function isExtra(pathInsideRoot: string): boolean {
  return extraTypeOf(pathInsideRoot) !== undefined
}
