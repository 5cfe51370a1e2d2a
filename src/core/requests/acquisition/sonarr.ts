import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Acquirer, RequestedTitle } from './acquirer.ts'
import { openServarrApi, readServarrAccess, ServarrRejection, type ServarrApi } from './servarr-api.ts'
import { findDownloadTarget } from './download-target.ts'
import { fetchEpisode, isEpisodeImported } from './sonarr-episodes.ts'
import { findSonarrSeries, SonarrSeries, type KnownSeries } from './sonarr-series.ts'

const Found = z.object({
  tvdbId: z.int32().positive(),
  tmdbId: z.number().optional(),
  title: z.string(),
  year: z.number().optional(),
  seasons: z.array(z.object({ seasonNumber: z.number() })),
})
const AnyReply = z.unknown()

type Found = z.infer<typeof Found>

/** Downloads series, seasons and episodes with Sonarr; undefined while its address or key is not configured. */
export function openSonarr(services: { config: Config; outbound: Outbound }): Acquirer | undefined {
  const access = readServarrAccess(services, 'sonarr')
  if (access === undefined) return undefined
  return {
    async add(title, signal) {
      const api = openServarrApi(access, signal)
      const found = await lookUp(api, title)
      const series = await findSonarrSeries(api, found.tvdbId)
      if (series === undefined) await addSeries(api, services.config, { found, title })
      else await monitorSeries(api, series, title)
      if (title.episodeNumber !== null) await fetchEpisode(api, { tvdbId: found.tvdbId, title }, signal)
      return { tvdbId: found.tvdbId }
    },
    async isImported(title, signal) {
      const api = openServarrApi(access, signal)
      const series = await findSonarrSeries(api, title.tvdbId ?? (await lookUp(api, title)).tvdbId)
      if (series === undefined) return false
      return title.episodeNumber === null ? isComplete(series, title) : isEpisodeImported(api, series.id, title)
    },
  }
}

/** Sonarr identifies series by their TVDB id; since version 4 it also finds them by TMDB id. */
async function lookUp(api: ServarrApi, { catalogId }: RequestedTitle): Promise<Found> {
  const results = await api.get(`/series/lookup?term=tmdb:${catalogId}`, z.array(Found))
  // Older versions interpret the term as a title and return other series.
  const found = results.find(({ tmdbId }) => tmdbId === catalogId)
  if (found === undefined) throw new Error(`Sonarr finds no series with TMDB id ${catalogId}.`)
  return found
}

async function addSeries(
  api: ServarrApi,
  config: Config,
  { found, title }: { found: Found; title: RequestedTitle },
): Promise<void> {
  requireSeason(found, title)
  const series = {
    ...found,
    ...(await findDownloadTarget(api, 'sonarr', config)),
    monitored: true,
    seasonFolder: true,
    seriesType: 'standard',
    seasons: found.seasons.map((season) => ({ ...season, monitored: isWanted(season, title) })),
    tags: [],
    // If `monitor` is absent, Sonarr monitors the marked seasons. With `none` it monitors nothing until an episode is marked.
    addOptions:
      title.episodeNumber === null
        ? { ignoreEpisodesWithFiles: true, searchForMissingEpisodes: true }
        : { monitor: 'none', searchForMissingEpisodes: false },
  }
  try {
    await api.post('/series', series, SonarrSeries)
  } catch (error) {
    // Another request added the title at the same time.
    if (!(error instanceof ServarrRejection) || !error.validators.includes('SeriesExistsValidator')) throw error
    const known = await findSonarrSeries(api, found.tvdbId)
    if (known === undefined) throw error
    await monitorSeries(api, known, title)
  }
}

/** Enables the monitoring of the requested part of a series that Sonarr has, and starts a search, unless it is already monitored. */
async function monitorSeries(api: ServarrApi, series: KnownSeries, title: RequestedTitle): Promise<void> {
  const { seasonNumber, episodeNumber } = title
  requireSeason(series, title)
  const seasons = series.seasons.map((season) => ({
    ...season,
    monitored: season.monitored || isWanted(season, title),
  }))
  const isMonitored =
    series.monitored && seasons.every(({ monitored }, index) => series.seasons[index]?.monitored === monitored)
  if (isMonitored) return
  await api.put(`/series/${series.id}`, { ...series, monitored: true, seasons }, AnyReply)
  if (episodeNumber !== null) return
  const search = seasonNumber === null ? { name: 'SeriesSearch' } : { name: 'SeasonSearch', seasonNumber }
  await api.post('/command', { ...search, seriesId: series.id }, AnyReply)
}

/** Whether a whole season is requested. Specials are included only if they are requested by number. */
function isWanted({ seasonNumber }: { seasonNumber: number }, wanted: RequestedTitle): boolean {
  if (wanted.episodeNumber !== null) return false
  return wanted.seasonNumber === null ? seasonNumber > 0 : seasonNumber === wanted.seasonNumber
}

function requireSeason(
  { seasons }: { seasons: readonly { seasonNumber: number }[] },
  { seasonNumber }: RequestedTitle,
): void {
  if (seasonNumber === null || seasons.some((season) => season.seasonNumber === seasonNumber)) return
  throw new Error(`Sonarr knows no season ${seasonNumber} of this series.`)
}

/** Sonarr's statistics count the monitored and aired episodes, and those with a file. */
function isComplete(series: KnownSeries, { seasonNumber }: RequestedTitle): boolean {
  const season = series.seasons.find((known) => known.seasonNumber === seasonNumber)
  const statistics = seasonNumber === null ? series.statistics : season?.statistics
  if (statistics === undefined) return false
  return statistics.episodeFileCount > 0 && statistics.episodeFileCount >= statistics.episodeCount
}
