import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { RequestedTitle } from './acquirer.ts'
import type { ServarrApi } from './servarr-api.ts'
import { findSonarrSeries } from './sonarr-series.ts'

const Episode = z.looseObject({
  id: z.number(),
  seasonNumber: z.number(),
  episodeNumber: z.number(),
  monitored: z.boolean(),
  hasFile: z.boolean(),
})

const Command = z.looseObject({
  name: z.string(),
  status: z.string(),
  body: z.looseObject({ seriesId: z.number().nullish(), seriesIds: z.array(z.number()).nullish() }).nullish(),
})

const AnyReply = z.unknown()

const PAUSE_MILLISECONDS = 500
const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'started'])

type Episode = z.infer<typeof Episode>

/**
 * Requests one episode of a series in Sonarr. A new series has no episodes until Sonarr has refreshed it. The end of the refresh is
 * awaited, because it then applies the options of the new series to all episodes.
 * @throws Error when there is no such episode; the signal's reason when the refresh takes too long
 */
export async function fetchEpisode(
  api: ServarrApi,
  { tvdbId, title }: { tvdbId: number; title: RequestedTitle },
  signal: AbortSignal,
): Promise<void> {
  const series = await findSonarrSeries(api, tvdbId)
  if (series === undefined) throw new Error('Sonarr has lost the series again.')
  const episode = await awaitEpisode(api, { seriesId: series.id, title }, signal)
  if (episode.hasFile || episode.monitored) return
  await api.put('/episode/monitor', { episodeIds: [episode.id], monitored: true }, AnyReply)
  await api.post('/command', { name: 'EpisodeSearch', episodeIds: [episode.id] }, AnyReply)
}

/** Whether Sonarr has a file of the episode. */
export async function isEpisodeImported(api: ServarrApi, seriesId: number, title: RequestedTitle): Promise<boolean> {
  const episodes = await listEpisodes(api, seriesId, title)
  return findEpisode(episodes, title)?.hasFile === true
}

async function awaitEpisode(
  api: ServarrApi,
  { seriesId, title }: { seriesId: number; title: RequestedTitle },
  signal: AbortSignal,
): Promise<Episode> {
  for (;;) {
    if (!(await isBeingRefreshed(api, seriesId))) {
      const episodes = await listEpisodes(api, seriesId, title)
      const episode = findEpisode(episodes, title)
      if (episode !== undefined) return episode
      if (episodes.length > 0) {
        throw new Error(`Sonarr knows no episode ${title.episodeNumber} of season ${title.seasonNumber}.`)
      }
    }
    await pause(PAUSE_MILLISECONDS, undefined, { signal })
  }
}

async function isBeingRefreshed(api: ServarrApi, seriesId: number): Promise<boolean> {
  const commands = await api.get('/command', z.array(Command))
  return commands.some(
    ({ name, status, body }) =>
      name === 'RefreshSeries' &&
      UNFINISHED.has(status) &&
      (body?.seriesId === seriesId || body?.seriesIds?.includes(seriesId) === true),
  )
}

function listEpisodes(api: ServarrApi, seriesId: number, { seasonNumber }: RequestedTitle): Promise<Episode[]> {
  return api.get(`/episode?seriesId=${seriesId}&seasonNumber=${seasonNumber}`, z.array(Episode))
}

function findEpisode(
  episodes: readonly Episode[],
  { seasonNumber, episodeNumber }: RequestedTitle,
): Episode | undefined {
  return episodes.find((episode) => episode.seasonNumber === seasonNumber && episode.episodeNumber === episodeNumber)
}
