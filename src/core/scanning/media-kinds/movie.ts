import {
  parseDiscPart,
  detectExtraType,
  findExtrasOwnerFolder,
  parseMovieName,
  sortTitle,
  type DiscStructure,
  type ExtraType,
} from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { describeVideo } from './describe-video.ts'
import { detectDiscInFolder, planDiscFiles } from './disc-files.ts'
import { planExtra } from './extra-video.ts'
import {
  groupFilesByStem,
  normalizeStem,
  findLongestStemPrefix,
  nfoFilesByStem,
  pathInLibraryRoot,
  fileStem,
} from './file-stem.ts'
import {
  listFilmAncestorFolders,
  findAncestorNfo,
  findAncestorPictures,
  type AncestorFolder,
} from './film-ancestor-folders.ts'
import { companionPictures } from './local-artwork.ts'
import type {
  CompanionFile,
  FolderContents,
  Identification,
  MediaKind,
  PlannedFile,
  PlannedFolder,
  FileRole,
  RoleOwner,
} from './media-kind.ts'
import { companionSubtitles } from './subtitle-sidecars.ts'
import { findFilmsTitledLikeThemes } from './films-titled-like-themes.ts'
import { groupVersions, type VideoGroups } from './version-groups.ts'

/** Films with versions, parts, extras and sidecars. Title and year come from name and folder; an NFO takes precedence. */
export const movieKind: MediaKind = {
  fileKinds: ['video', 'subtitle', 'photo', 'sidecar'],
  // A film file above owns the pictures there.
  innerFolders: {
    names: /^(?:video_ts|bdmv|stream|(?:cd|dvd|dis[ck])[ _.-]?\d{1,2})$/i,
    kinds: ['video', 'photo', 'sidecar'],
  },
  planFolder(view) {
    const { pathInsideRoot } = view
    const disc = detectDiscInFolder(view)
    if (disc !== undefined) return planDisc(view, disc)
    const { films, extras } = sortVideos(view)
    const folderFilms = folderFilmsOf(view, films)
    const files = new Map<string, PlannedFile>(films.map((name) => [name, planFilm(folderFilms, name)]))
    for (const [name, type] of extras) {
      files.set(name, planExtra({ pathInsideRoot, name, type, of: ownerOfExtra(folderFilms, name), groups: [] }))
    }
    return { files, companions: companionsOf(folderFilms, [...files.keys()]), group: null }
  },
  describe({ identification, groups }, _facts, local) {
    const records = local.filter(({ kind }) => kind === 'movie' || kind === 'unknown')
    return { groups, ...describeVideo(identification, records) }
  },
}

function sortVideos({ pathInsideRoot, names }: FolderContents): { films: string[]; extras: Map<string, ExtraType> } {
  const extras = new Map<string, ExtraType>()
  const films: string[] = []
  for (const name of names) {
    if (mediaFileKind(name) !== 'video') continue
    const type = detectExtraType(pathInLibraryRoot(pathInsideRoot, name))
    if (type === undefined) films.push(name)
    else if (type !== 'sample') extras.set(name, type)
  }
  const namesakes = findFilmsTitledLikeThemes(pathInsideRoot, { films, extras })
  for (const name of namesakes) extras.delete(name)
  return { films: [...films, ...namesakes], extras }
}

/** Plans a DVD or Blu-ray structure as one film, named after the folder that contains the disc. */
function planDisc(view: FolderContents, disc: DiscStructure): PlannedFolder {
  const { mainFile, kind, folder } = disc
  const folderFilms = folderFilmsOf(view, [mainFile])
  const named = identify(pathInLibraryRoot(folder, 'movie.vob'))
  const identification = { ...named, metadata: { ...named.metadata, disc: kind, folder } }
  const film = { ...planFilm(folderFilms, mainFile), identification }
  return { files: planDiscFiles(disc, film), companions: companionsOf(folderFilms, [mainFile]), group: null }
}

/** The films of one folder; `only` is the item of the folder if it has exactly one. */
type FolderFilms = {
  view: FolderContents
  groups: VideoGroups
  only: string | undefined
  stems: ReadonlyMap<string, string>
  nfo: ReadonlyMap<string, string>
  /** Folders above that also describe `only`. */
  above: readonly AncestorFolder[]
}

function folderFilmsOf(view: FolderContents, films: readonly string[]): FolderFilms {
  const groups = groupVersions(films, view.pathInsideRoot, 'movies')
  const listed = new Set(groups.primaries.values())
  const only = listed.size === 1 ? [...listed][0] : undefined
  // A further part has no pictures; they belong to the first part.
  const isFilm = only !== undefined && partRole(view.pathInsideRoot, only) === null
  const above = isFilm ? listFilmAncestorFolders(view, only) : []
  return { view, groups, only, stems: groupFilesByStem(films), nfo: nfoFilesByStem(view.names), above }
}

function planFilm(folderFilms: FolderFilms, name: string): PlannedFile {
  const { view, groups } = folderFilms
  return {
    as: 'video',
    identification: identify(pathInLibraryRoot(view.pathInsideRoot, name)),
    groups: [],
    role: groups.roles.get(name) ?? (folderFilms.only === name ? partRole(view.pathInsideRoot, name) : null),
    sidecars: sidecarsOfFilm(folderFilms, name),
  }
}

/** Returns the role of a part in a disc folder: `Film/CD2/film.avi` is a part of the film in `Film/CD1`. */
function partRole(pathInsideRoot: string, name: string): FileRole | null {
  const disc = parseDiscPart(pathInsideRoot, name)
  if (disc === null) return null
  return { kind: 'part', of: { folderInsideRoot: disc.firstFolder }, label: null, order: disc.part }
}

/**
 * Returns the sidecars of a film: `movie.nfo` in the folder of a single film (`VIDEO_TS.nfo` for a DVD) or above its discs, then the more
 * trusted `<film>.nfo` (Kodi).
 */
function sidecarsOfFilm({ only, nfo, above }: FolderFilms, name: string): string[] {
  const general = only === name ? [...findAncestorNfo(above), nfo.get('movie') ?? nfo.get('video_ts')] : []
  const own = nfo.get(normalizeStem(fileStem(name)))
  return [...general, own].filter((one) => one !== undefined)
}

/**
 * Returns the owner of an extra. In a folder of extras it is the item of the folder above. Elsewhere it is the film with the longest
 * matching name, or the only film of the folder.
 */
function ownerOfExtra(folderFilms: FolderFilms, name: string): RoleOwner {
  const { pathInsideRoot } = folderFilms.view
  const owner = findExtrasOwnerFolder(pathInsideRoot)
  // `trailers` in the library folder itself cannot be assigned to a film.
  if (owner !== pathInsideRoot) return owner === '' ? 'group' : { folderInsideRoot: owner }
  const film = findLongestStemPrefix(normalizeStem(fileStem(name)), folderFilms.stems)
  const primary = film === undefined ? folderFilms.only : folderFilms.groups.primaries.get(film)
  return primary === undefined ? { folderInsideRoot: pathInsideRoot } : { file: primary }
}

/** Returns the pictures and subtitles of films. Pictures belong to the film, for any of its versions; subtitles belong to one file. */
function companionsOf(folderFilms: FolderFilms, files: readonly string[]): CompanionFile[] {
  const { pathInsideRoot, names } = folderFilms.view
  const stems = groupFilesByStem(files)
  const shown = new Map([...stems].map(([stem, name]) => [stem, folderFilms.groups.primaries.get(name) ?? name]))
  const pictures = companionPictures({
    pictures: names.filter((name) => mediaFileKind(name) === 'photo'),
    files: shown,
    folder: folderFilms.only,
    folderName: pathInsideRoot.slice(pathInsideRoot.lastIndexOf('/') + 1),
    plain: 'poster',
  })
  const above =
    folderFilms.only === undefined
      ? []
      : findAncestorPictures(folderFilms.above, { film: folderFilms.only, companions: pictures })
  const subtitles = names.filter((name) => mediaFileKind(name) === 'subtitle')
  return [...pictures, ...above, ...companionSubtitles(subtitles, stems)]
}

function identify(pathInsideRoot: string): Identification {
  const { title, year, edition, part, providerIds } = parseMovieName(pathInsideRoot)
  const metadata: Record<string, unknown> = { title, year }
  if (edition !== null) metadata['edition'] = edition
  if (part !== null) metadata['part'] = part
  if (Object.keys(providerIds).length > 0) metadata['external_ids'] = providerIds
  return { type: 'movie', name: title, sortTitle: sortTitle(title), year, metadata }
}
