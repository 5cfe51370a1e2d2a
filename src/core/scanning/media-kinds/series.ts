import {
  findExtrasOwnerFolder,
  parseEpisodeFolder,
  parseEpisodePath,
  type EpisodeName,
  type ExtraType,
} from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { describeVideo } from './describe-video.ts'
import { detectDiscInFolder, discEpisode } from './disc-files.ts'
import { describeEpisode, identifyEpisode, resolveSeasonNumber } from './episode.ts'
import { groupFilesByStem, normalizeStem, nfoFilesByStem, pathInLibraryRoot, fileStem } from './file-stem.ts'
import { companionPictures } from './local-artwork.ts'
import type { CompanionFile, FolderContents, ItemGroup, MediaKind, PlannedFile, PlannedFolder } from './media-kind.ts'
import { parseSeasonPictureName } from './season-artwork.ts'
import { seriesExtraType, planSeriesExtra } from './series-extras.ts'
import { parseSeriesLocation, seasonGroup, resolveFileSeries, type SeriesLocation } from './series-location.ts'
import { companionSubtitles } from './subtitle-sidecars.ts'
import { groupVersions, type VideoGroups } from './version-groups.ts'

/** Episodes in seasons in series, with specials, extras and sidecars. `tvshow.nfo` describes the series, `season.nfo` its season. */
export const seriesKind: MediaKind = {
  fileKinds: ['video', 'subtitle', 'photo', 'sidecar'],
  planFolder(view) {
    const place = parseSeriesLocation(view.pathInsideRoot)
    const sorted = sortVideos(view)
    const files = new Map<string, PlannedFile>(planEpisodes(view, sorted.episodes, place))
    const owner = parseSeriesLocation(findExtrasOwnerFolder(view.pathInsideRoot))
    for (const [name, type] of sorted.extras) files.set(name, planSeriesExtra(view, { name, type, owner, files }))
    const isExtras = findExtrasOwnerFolder(view.pathInsideRoot) !== view.pathInsideRoot
    return withCompanions(view, files, isExtras ? null : (place?.season ?? seriesOf(files) ?? place?.series ?? null))
  },
  describe(file, _facts, local) {
    const { identification, groups } = file
    return file.role?.kind === 'extra'
      ? { groups, ...describeVideo(identification, []) }
      : describeEpisode({ identification, groups }, local)
  },
  describeGroup(group, local) {
    const { identification, ...described } = describeVideo(
      group,
      local.filter(({ kind }) => kind === group.type || kind === 'unknown'),
    )
    const { name, sortTitle, year } = identification
    return { ...described, name, sortTitle, year }
  },
}

type Sorted = { episodes: Map<string, EpisodeName>; extras: Map<string, ExtraType> }

function sortVideos(view: FolderContents): Sorted {
  const { pathInsideRoot, names } = view
  const disc = detectDiscInFolder(view)
  if (disc !== undefined) return { episodes: new Map([[disc.mainFile, discEpisode(disc)]]), extras: new Map() }
  const sorted: Sorted = { episodes: new Map(), extras: new Map() }
  const videos = names.filter((name) => mediaFileKind(name) === 'video')
  const episodes = parseEpisodeFolder(videos.map((name) => pathInLibraryRoot(pathInsideRoot, name)))
  for (const [at, [path, read]] of [...episodes].entries()) {
    const name = videos[at] ?? ''
    const episode = withYearAsSeason(path, read)
    const type = seriesExtraType(path, name, episode)
    if (type === undefined) sorted.episodes.set(name, episode)
    else if (type !== 'sample') sorted.extras.set(name, type)
  }
  return sorted
}

/** Treats a year folder of a show with air dates as its season: `Show (2010)/2018/Show - 2018-11-14.mkv`. */
function withYearAsSeason(path: string, name: EpisodeName): EpisodeName {
  const [, above, year, file] = /^(.+\/)(\d{4})(\/[^/]+)$/.exec(path) ?? []
  if (above === undefined || name.airDate?.slice(0, 4) !== year) return name
  return parseEpisodePath(`${above}Season ${year}${file}`)
}

function* planEpisodes(
  { pathInsideRoot, names }: FolderContents,
  episodes: ReadonlyMap<string, EpisodeName>,
  place: SeriesLocation | null,
): Generator<[string, PlannedFile]> {
  const nfo = nfoFilesByStem(names)
  const roles = rolesOf(pathInsideRoot, episodes)
  for (const [name, episode] of episodes) {
    const series = resolveFileSeries(episode, pathInLibraryRoot(pathInsideRoot, name), place)
    const sidecar = nfo.get(normalizeStem(fileStem(name)))
    yield [
      name,
      {
        as: 'video',
        identification: identifyEpisode(episode, name),
        groups: [series, seasonGroup(series, resolveSeasonNumber(episode))],
        role: roles.get(name) ?? null,
        sidecars: sidecar === undefined ? [] : [sidecar],
      },
    ]
  }
}

/** Skips the search for versions if each episode occurs once, as in most folders. */
function rolesOf(pathInsideRoot: string, episodes: ReadonlyMap<string, EpisodeName>): VideoGroups['roles'] {
  const places = new Set([...episodes.values()].map(({ placeKey }) => placeKey))
  if (places.size === episodes.size) return new Map()
  return groupVersions([...episodes.keys()], pathInsideRoot, 'series').roles
}

/** Returns the series if all episodes of a folder belong to one. */
function seriesOf(files: ReadonlyMap<string, PlannedFile>): ItemGroup | undefined {
  const series = new Map(
    [...files.values()].flatMap(({ groups: [top] }) => (top === undefined ? [] : [[top.key, top]])),
  )
  return series.size === 1 ? [...series.values()][0] : undefined
}

function describesGroup(group: ItemGroup | null, name: string): boolean {
  const lower = name.toLowerCase()
  return (group?.type === 'series' && lower === 'tvshow.nfo') || (group?.type === 'season' && lower === 'season.nfo')
}

function withCompanions(
  { pathInsideRoot, names }: FolderContents,
  files: ReadonlyMap<string, PlannedFile>,
  group: ItemGroup | null,
): PlannedFolder {
  const stems = groupFilesByStem([...files.keys()])
  const isSeries = group?.type === 'series'
  const pictures = companionPictures({
    pictures: names.filter((name) => mediaFileKind(name) === 'photo'),
    files: stems,
    folder: group === null ? undefined : null,
    folderName: pathInsideRoot.slice(pathInsideRoot.lastIndexOf('/') + 1),
    plain: 'thumb',
    ...(isSeries && { special: (stem: string) => parseSeasonPictureName(stem, group) }),
  })
  const subtitles = companionSubtitles(
    names.filter((name) => mediaFileKind(name) === 'subtitle'),
    stems,
  )
  const nfo: CompanionFile[] = names
    .filter((name) => describesGroup(group, name))
    .map((name) => ({ name, kind: 'nfo', of: null, details: {} }))
  return { files, companions: [...nfo, ...pictures, ...subtitles], group }
}
