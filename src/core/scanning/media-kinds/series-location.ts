import { foldTitle, parseEpisodePath, parseMovieName, sortTitle, type EpisodeName } from '../../naming/index.ts'
import { pathInLibraryRoot } from './file-stem.ts'
import type { ItemGroup } from './media-kind.ts'

/** Series and season of a file or folder. */
export type SeriesLocation = { series: ItemGroup; season: ItemGroup | null }

/** Returns the series and season that a folder implies for its files; null for a folder of other folders and for the library folder. */
export function parseSeriesLocation(pathInsideRoot: string): SeriesLocation | null {
  if (pathInsideRoot === '') return null
  const name = parseEpisodePath(pathInLibraryRoot(pathInsideRoot, 'e01.mkv'))
  if (name.seriesName === null) return null
  const series = seriesGroup({ ...name, seriesName: name.seriesName })
  return { series, season: name.seasonNumber === null ? null : seasonGroup(series, name.seasonNumber) }
}

/**
 * Returns the series of a file. If its folder names the same series, the folder's spelling is used, so that all of its files and sidecars
 * refer to one group.
 */
export function resolveFileSeries(name: EpisodeName, pathInsideRoot: string, folder: SeriesLocation | null): ItemGroup {
  const seriesName = name.seriesName ?? parseMovieName(pathInsideRoot).title
  if (folder !== null && foldTitle(folder.series.name) === foldTitle(seriesName)) return folder.series
  return seriesGroup({ ...name, seriesName })
}

type NamedSeries = Pick<EpisodeName, 'seriesYear' | 'providerIds'> & { seriesName: string }

function seriesGroup({ seriesName, seriesYear, providerIds }: NamedSeries): ItemGroup {
  const metadata: Record<string, unknown> = { title: seriesName, year: seriesYear }
  if (Object.keys(providerIds).length > 0) metadata['external_ids'] = providerIds
  return {
    type: 'series',
    key: `${foldTitle(seriesName)}/${seriesYear ?? ''}`,
    name: seriesName,
    sortTitle: sortTitle(seriesName),
    year: seriesYear,
    metadata,
  }
}

/**
 * Returns the group of a season. Season 0 contains the specials. Numbers are padded in the sort title, so that season 10 follows season
 * 9.
 */
export function seasonGroup(series: ItemGroup, number: number): ItemGroup {
  const name = number === 0 ? 'Specials' : `Season ${number}`
  return {
    type: 'season',
    key: `${series.key}/${number}`,
    name,
    sortTitle: number === 0 ? name : `Season ${String(number).padStart(4, '0')}`,
    year: null,
    seasonNumber: number,
    metadata: { title: name },
  }
}
