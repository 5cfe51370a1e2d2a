import { mediaFileKind } from '../../platform/files/index.ts'
import { parseEpisodeFolder } from '../episode/episode-folder.ts'
import { isExtra } from '../video/extra-types.ts'
import { normalizeName, pathSegments, withoutExtension } from '../text/name-text.ts'
import { compareNaturally } from '../text/natural-order.ts'
import { parseReleaseYear } from '../release/release-name.ts'
import { groupStacks } from './stacks.ts'
import { distinguishingNumbers, comparableTitleWords } from './version-labels.ts'

/** One film or episode with its versions, the primary version first. Each version consists of one file or several parts. */
export type VideoItem = { versions: { paths: string[] }[] }

export type VideoList = { items: VideoItem[]; extras: string[] }

type Unit = { paths: string[]; folder: string; folderName: string; stem: string }

/**
 * Groups the video files and disc folders of a library: parts of one film, versions of one film or episode, and extras. Versions of a
 * film are in its folder and begin with the folder name (`Film (2001)/Film (2001) - 720p.mkv`); versions of an episode are in one folder,
 * have the same number and no two different titles. A file of a numbered run is never a version of its neighbours: a version is not
 * listed, and a duplicate episode does less harm than a hidden one. Verified with test rows of Jellyfin's MultiVersionTests and
 * VideoListResolverTests.
 */
export function groupVideoFiles(paths: readonly string[], kind: 'movies' | 'series'): VideoList {
  const videos = paths.filter(isVideo)
  const extras = videos.filter(isExtra)
  const own = videos.filter((path) => !isExtra(path))
  const groups = kind === 'series' ? groupEpisodes(own) : groupFilms(own)
  const items = groups.map((units) => ({
    versions: units.toSorted(compareVersions).map((unit) => ({ paths: unit.paths })),
  }))
  return { items, extras }
}

function groupFilms(paths: string[]): Unit[][] {
  return [...Map.groupBy(unitsOf(paths), (unit) => filmKey(unit) ?? unit.paths.join('\0')).values()].flatMap(withoutRun)
}

/** Only files with the same number can be parts of one episode: `Show Part 1` and `Show Part 2` are two. */
function groupEpisodes(paths: string[]): Unit[][] {
  const names = parseEpisodeFolder(paths)
  const keyOf = (path: string): string => {
    const name = names.get(path)
    const isPlaced = name !== undefined && (name.episodeNumber !== null || name.airDate !== null)
    return isPlaced ? `${folderOf(path)}\0${name.placeKey}` : `\0${path}`
  }
  return [...Map.groupBy(paths, keyOf).values()].flatMap((same) =>
    groupByTitle(unitsOf(same), ({ paths: [first = ''] }) =>
      comparableTitleWords(names.get(first)?.episodeTitle ?? null),
    ).flatMap(withoutRun),
  )
}

/** Files with the same number are one episode if they have at most one distinct title. */
function groupByTitle(units: Unit[], titleOf: (unit: Unit) => string): Unit[][] {
  const titles = Map.groupBy(units, titleOf)
  const untitled = titles.get('') ?? []
  titles.delete('')
  const [first, ...others] = titles.values()
  if (first === undefined) return [untitled]
  return others.length === 0
    ? [[...untitled, ...first]]
    : [...titles.values(), ...(untitled.length > 0 ? [untitled] : [])]
}

function withoutRun(units: Unit[]): Unit[][] {
  const numbers = distinguishingNumbers(units.map(({ stem }) => stem))
  return [...Map.groupBy(units.entries(), ([at]) => numbers[at]).values()].map((same) => same.map(([, unit]) => unit))
}

/** A video file, or a folder that holds a disc. */
function isVideo(path: string): boolean {
  return mediaFileKind(path) === 'video' || !/\.[a-z\d]{2,4}$/i.test(path)
}

function unitsOf(videos: string[]): Unit[] {
  const stacks = groupStacks(videos)
  const stacked = new Set(stacks.flatMap((stack) => stack.paths))
  return [
    ...stacks.map((stack) => unitOf(stack.name, stack.paths)),
    ...videos.filter((path) => !stacked.has(path)).map((path) => unitOf(withoutExtension(path), [path])),
  ]
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function unitOf(name: string, paths: string[]): Unit {
  const slash = name.lastIndexOf('/')
  const folder = folderOf(name)
  return {
    paths,
    folder,
    folderName: normalizeName(pathSegments(folder).at(-1) ?? ''),
    stem: normalizeName(name.slice(slash + 1)),
  }
}

/** The key that versions of a film share; undefined if the file is not a version of the film that its folder names. */
function filmKey(unit: Unit): string | undefined {
  const label = labelOf(unit)
  if (label === undefined) return undefined
  const year = parseReleaseYear(unit.stem) ?? parseReleaseYear(unit.folderName)
  return `${unit.folder}\0${year}`
}

/** The text after the folder name: nothing, ` - 720p`, `_720p`, `.UHD` or closed brackets (`[Final Cut] 1080p`). */
function labelOf({ folderName, stem }: Unit): string | undefined {
  if (folderName === '' || !stem.toLowerCase().startsWith(folderName.toLowerCase())) return undefined
  const label = stem.slice(folderName.length).trimStart()
  const isClosed = /^\[[^[\]]*\][^[\]]*(?:\[[^[\]]*\][^[\]]*)*$/.test(label)
  return label === '' || /^[-_.]/.test(label) || isClosed ? label : undefined
}

/** The name without label first, then by descending resolution, then by name. */
function compareVersions(one: Unit, other: Unit): number {
  const byPlain = Number(labelOf(other) === '') - Number(labelOf(one) === '')
  return byPlain || linesOf(other) - linesOf(one) || compareNaturally(one.stem, other.stem)
}

function linesOf({ stem }: Unit): number {
  const text = stem.toLowerCase()
  if (/(?<![a-z0-9])(?:4k|uhd)(?![a-z0-9])/.test(text)) return 2160
  return Number(/(?<!\d)(\d{3,4})[pi](?![a-z0-9])/.exec(text)?.[1] ?? 0)
}
