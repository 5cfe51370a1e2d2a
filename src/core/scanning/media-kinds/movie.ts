import {
  discPartOf,
  extraTypeOf,
  ownerFolderOf,
  parseMovieName,
  sortTitle,
  type DiscStructure,
  type ExtraType,
} from '../../naming/index.ts'
import { mediaKindOf } from '../../platform/files/index.ts'
import { describeVideo } from './describe-video.ts'
import { discOf, planDiscFiles } from './disc-view.ts'
import { planExtra } from './extra-video.ts'
import { byStem, foldStem, longestStem, nfoByStem, pathIn, stemOf } from './file-stem.ts'
import { foldersAboveFilm, nfoAboveFilm, picturesAboveFilm, type FolderAbove } from './film-folder.ts'
import { picturesBeside } from './local-artwork.ts'
import type {
  BesideFile,
  FolderView,
  Identification,
  MediaKind,
  PlannedFile,
  PlannedFolder,
  Role,
  RoleOwner,
} from './media-kind.ts'
import { subtitlesBeside } from './subtitle-sidecars.ts'
import { themeNamesakes } from './theme-namesakes.ts'
import { groupVersions, type VideoGroups } from './version-groups.ts'

/** Films in versions and parts, their extras, and what lies beside them. Name and folder say title and year, an NFO says it better. */
export const movieKind: MediaKind = {
  fileKinds: ['video', 'subtitle', 'photo', 'sidecar'],
  // Films above say that pictures there are theirs.
  innerFolders: {
    names: /^(?:video_ts|bdmv|stream|(?:cd|dvd|dis[ck])[ _.-]?\d{1,2})$/i,
    kinds: ['video', 'photo', 'sidecar'],
  },
  planFolder(view) {
    const { pathInsideRoot } = view
    const disc = discOf(view)
    if (disc !== undefined) return planDisc(view, disc)
    const { films, extras } = sortVideos(view)
    const shelf = shelfOf(view, films)
    const files = new Map<string, PlannedFile>(films.map((name) => [name, planFilm(shelf, name)]))
    for (const [name, type] of extras) {
      files.set(name, planExtra({ pathInsideRoot, name, type, of: ownerOfExtra(shelf, name), groups: [] }))
    }
    return { files, beside: besideFilms(shelf, [...files.keys()]), group: null }
  },
  describe({ identification, groups }, _facts, local) {
    const records = local.filter(({ kind }) => kind === 'movie' || kind === 'unknown')
    return { groups, ...describeVideo(identification, records) }
  },
}

function sortVideos({ pathInsideRoot, names }: FolderView): { films: string[]; extras: Map<string, ExtraType> } {
  const extras = new Map<string, ExtraType>()
  const films: string[] = []
  for (const name of names) {
    if (mediaKindOf(name) !== 'video') continue
    const type = extraTypeOf(pathIn(pathInsideRoot, name))
    if (type === undefined) films.push(name)
    else if (type !== 'sample') extras.set(name, type)
  }
  const namesakes = themeNamesakes(pathInsideRoot, { films, extras })
  for (const name of namesakes) extras.delete(name)
  return { films: [...films, ...namesakes], extras }
}

/** A DVD or Blu-ray in a folder: one film, which is called after the folder that holds the disc. */
function planDisc(view: FolderView, disc: DiscStructure): PlannedFolder {
  const { mainFile, kind, folder } = disc
  const shelf = shelfOf(view, [mainFile])
  const named = identify(pathIn(folder, 'movie.vob'))
  const identification = { ...named, metadata: { ...named.metadata, disc: kind, folder } }
  const film = { ...planFilm(shelf, mainFile), identification }
  return { files: planDiscFiles(disc, film), beside: besideFilms(shelf, [mainFile]), group: null }
}

/** The films of one folder; `only`: the one that the folder is about, where there are not several. */
type ItemCount = {
  view: FolderView
  groups: VideoGroups
  only: string | undefined
  stems: ReadonlyMap<string, string>
  nfo: ReadonlyMap<string, string>
  /** That tell about `only`, too. */
  above: readonly FolderAbove[]
}

function shelfOf(view: FolderView, films: readonly string[]): ItemCount {
  const groups = groupVersions(films, view.pathInsideRoot, 'movies')
  const listed = new Set(groups.primaries.values())
  const only = listed.size === 1 ? [...listed][0] : undefined
  // A further part shows nothing: that is for the first.
  const isFilm = only !== undefined && partRole(view.pathInsideRoot, only) === null
  const above = isFilm ? foldersAboveFilm(view, only) : []
  return { view, groups, only, stems: byStem(films), nfo: nfoByStem(view.names), above }
}

function planFilm(shelf: ItemCount, name: string): PlannedFile {
  const { view, groups } = shelf
  return {
    as: 'video',
    identification: identify(pathIn(view.pathInsideRoot, name)),
    groups: [],
    role: groups.roles.get(name) ?? (shelf.only === name ? partRole(view.pathInsideRoot, name) : null),
    sidecars: sidecarsOfFilm(shelf, name),
  }
}

/** `Film/CD2/film.avi` is a part of the film in `Film/CD1`. */
function partRole(pathInsideRoot: string, name: string): Role | null {
  const found = discPartOf(pathInsideRoot, name)
  if (found === null) return null
  return { kind: 'part', of: { folderInsideRoot: found.firstFolder }, label: null, order: found.part }
}

/** `movie.nfo` in the folder of one film (`VIDEO_TS.nfo` in that of a DVD) or above its discs, and before it `<film>.nfo` (Kodi). */
function sidecarsOfFilm({ only, nfo, above }: ItemCount, name: string): string[] {
  const general = only === name ? [...nfoAboveFilm(above), nfo.get('movie') ?? nfo.get('video_ts')] : []
  const own = nfo.get(foldStem(stemOf(name)))
  return [...general, own].filter((one) => one !== undefined)
}

/** In a folder of extras that of the folder above; else the film whose name it begins with, or the only one beside it. */
function ownerOfExtra(shelf: ItemCount, name: string): RoleOwner {
  const { pathInsideRoot } = shelf.view
  const owner = ownerFolderOf(pathInsideRoot)
  // `trailers` in the library folder itself: nobody can say of which film.
  if (owner !== pathInsideRoot) return owner === '' ? 'group' : { folderInsideRoot: owner }
  const film = longestStem(foldStem(stemOf(name)), shelf.stems)
  const primary = film === undefined ? shelf.only : shelf.groups.primaries.get(film)
  return primary === undefined ? { folderInsideRoot: pathInsideRoot } : { file: primary }
}

/** Pictures show the film, whichever of its versions they are named after; subtitles fit one file. */
function besideFilms(shelf: ItemCount, files: readonly string[]): BesideFile[] {
  const { pathInsideRoot, names } = shelf.view
  const stems = byStem(files)
  const shown = new Map([...stems].map(([stem, name]) => [stem, shelf.groups.primaries.get(name) ?? name]))
  const pictures = picturesBeside({
    pictures: names.filter((name) => mediaKindOf(name) === 'photo'),
    files: shown,
    folder: shelf.only,
    folderName: pathInsideRoot.slice(pathInsideRoot.lastIndexOf('/') + 1),
    plain: 'poster',
  })
  const above = shelf.only === undefined ? [] : picturesAboveFilm(shelf.above, { film: shelf.only, beside: pictures })
  const subtitles = names.filter((name) => mediaKindOf(name) === 'subtitle')
  return [...pictures, ...above, ...subtitlesBeside(subtitles, stems)]
}

function identify(pathInsideRoot: string): Identification {
  const { title, year, edition, part, providerIds } = parseMovieName(pathInsideRoot)
  const metadata: Record<string, unknown> = { title, year }
  if (edition !== null) metadata['edition'] = edition
  if (part !== null) metadata['part'] = part
  if (Object.keys(providerIds).length > 0) metadata['external_ids'] = providerIds
  return { type: 'movie', name: title, sortTitle: sortTitle(title), year, metadata }
}
