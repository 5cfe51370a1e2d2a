import { mediaKindOf } from '../platform/files/index.ts'
import { parseEpisodePath } from './episode-name.ts'
import { isExtra } from './extras.ts'
import { foldTitle } from './fold-title.ts'
import { plainName, segmentsOf, withoutExtension } from './name-text.ts'
import { compareNaturally } from './natural-order.ts'
import { releaseYearOf } from './release-name.ts'
import { groupStacks } from './stacks.ts'

/** One film or episode: its versions, the primary one first, each of one file or of several parts. */
export type VideoItem = { versions: { paths: string[] }[] }

export type VideoList = { items: VideoItem[]; extras: string[] }

type Unit = { paths: string[]; folder: string; folderName: string; stem: string }

/**
 * Groups the video files and disc folders of a library: parts of one film, versions of one film or episode, and extras. Versions of a film lie in
 * its folder and begin with the folder's name (`Film (2001)/Film (2001) - 720p.mkv`); versions of an episode lie in one folder
 * and have the same number. Source: design, scanning 3; rows of Jellyfin's MultiVersionTests and VideoListResolverTests.
 */
export function groupVideoFiles(paths: readonly string[], kind: 'movies' | 'series'): VideoList {
  const videos = paths.filter(isVideo)
  const extras = videos.filter(isExtra)
  const groups = new Map<string, Unit[]>()
  for (const unit of unitsOf(videos.filter((path) => !isExtra(path)))) {
    const key = (kind === 'series' ? episodeKey(unit) : filmKey(unit)) ?? unit.paths.join('\0')
    groups.set(key, [...(groups.get(key) ?? []), unit])
  }
  const items = [...groups.values()].map((units) => ({
    versions: units.toSorted(compareVersions).map((unit) => ({ paths: unit.paths })),
  }))
  return { items, extras }
}

/** A video file, or a folder that holds a disc. */
function isVideo(path: string): boolean {
  return mediaKindOf(path) === 'video' || !/\.[a-z\d]{2,4}$/i.test(path)
}

function unitsOf(videos: string[]): Unit[] {
  const stacks = groupStacks(videos)
  const stacked = new Set(stacks.flatMap((stack) => stack.paths))
  return [
    ...stacks.map((stack) => unitOf(stack.name, stack.paths)),
    ...videos.filter((path) => !stacked.has(path)).map((path) => unitOf(withoutExtension(path), [path])),
  ]
}

function unitOf(name: string, paths: string[]): Unit {
  const slash = name.lastIndexOf('/')
  const folder = name.slice(0, Math.max(slash, 0))
  return {
    paths,
    folder,
    folderName: plainName(segmentsOf(folder).at(-1) ?? ''),
    stem: plainName(name.slice(slash + 1)),
  }
}

/** What a file has in common with other versions of its film; undefined when it is no version of what its folder is named. */
function filmKey(unit: Unit): string | undefined {
  const label = labelOf(unit)
  if (label === undefined) return undefined
  const year = releaseYearOf(unit.stem) ?? releaseYearOf(unit.folderName)
  return `${unit.folder}\0${year}`
}

/** What stands behind the folder's name: nothing, ` - 720p`, `_720p`, `.UHD` or closed brackets (`[Final Cut] 1080p`). */
function labelOf({ folderName, stem }: Unit): string | undefined {
  if (folderName === '' || !stem.toLowerCase().startsWith(folderName.toLowerCase())) return undefined
  const label = stem.slice(folderName.length).trimStart()
  const isClosed = /^\[[^[\]]*\][^[\]]*(?:\[[^[\]]*\][^[\]]*)*$/.test(label)
  return label === '' || /^[-_.]/.test(label) || isClosed ? label : undefined
}

function episodeKey(unit: Unit): string | undefined {
  const name = parseEpisodePath(`${unit.folder}/${unit.stem}`)
  const number = name.episodeNumber ?? name.airDate
  if (number === null) return undefined
  const places = [name.seasonNumber, number, name.endingEpisodeNumber, foldTitle(name.seriesName ?? '')]
  return `${unit.folder}\0${places.join('\0')}`
}

/** The plain name first, then by resolution from the highest, then by name. */
function compareVersions(one: Unit, other: Unit): number {
  const byPlain = Number(labelOf(other) === '') - Number(labelOf(one) === '')
  return byPlain || linesOf(other) - linesOf(one) || compareNaturally(one.stem, other.stem)
}

function linesOf({ stem }: Unit): number {
  const text = stem.toLowerCase()
  if (/(?<![a-z0-9])(?:4k|uhd)(?![a-z0-9])/.test(text)) return 2160
  return Number(/(?<!\d)(\d{3,4})[pi](?![a-z0-9])/.exec(text)?.[1] ?? 0)
}
