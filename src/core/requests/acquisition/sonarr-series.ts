import { z } from 'zod'
import type { ServarrApi } from './servarr-api.ts'

const Statistics = z.looseObject({ episodeFileCount: z.number(), episodeCount: z.number() }).optional()

/** A series in Sonarr. Unknown fields are kept, because an update sends the whole object. */
export const SonarrSeries = z.looseObject({
  id: z.number(),
  tvdbId: z.number(),
  monitored: z.boolean(),
  seasons: z.array(z.looseObject({ seasonNumber: z.number(), monitored: z.boolean(), statistics: Statistics })),
  statistics: Statistics,
})

export type KnownSeries = z.infer<typeof SonarrSeries>

/** The series with this TVDB id; undefined when Sonarr does not have it. */
export async function findSonarrSeries(api: ServarrApi, tvdbId: number): Promise<KnownSeries | undefined> {
  const all = await api.get(`/series?tvdbId=${tvdbId}`, z.array(SonarrSeries))
  return all.find((series) => series.tvdbId === tvdbId)
}
