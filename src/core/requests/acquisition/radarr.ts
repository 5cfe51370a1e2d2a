import { z } from 'zod'
import type { Config } from '../../platform/config/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Acquirer, RequestedTitle } from './acquirer.ts'
import { openServarrApi, readServarrAccess, ServarrRejection, type ServarrApi } from './servarr-api.ts'
import { findDownloadTarget } from './download-target.ts'

/** A movie in Radarr. Unknown fields are kept, because an update sends the whole object. */
const Movie = z.looseObject({
  id: z.number(),
  tmdbId: z.number(),
  monitored: z.boolean(),
  hasFile: z.boolean().optional(),
})
const Found = z.object({ tmdbId: z.number(), title: z.string(), year: z.number().optional() })
const AnyReply = z.unknown()

type Movie = z.infer<typeof Movie>

/** Radarr searches only after the digital or physical release date, because earlier files are mostly fakes. */
const MINIMUM_AVAILABILITY = 'released'

/** Downloads movies with Radarr; undefined while its address or key is not configured. */
export function openRadarr(services: { config: Config; outbound: Outbound }): Acquirer | undefined {
  const access = readServarrAccess(services, 'radarr')
  if (access === undefined) return undefined
  return {
    async add(title, signal) {
      const api = openServarrApi(access, signal)
      const movie = await findMovie(api, title)
      if (movie === undefined) await addMovie(api, services.config, title)
      else if (!movie.monitored && movie.hasFile !== true) await monitorMovie(api, movie)
      return { tvdbId: null }
    },
    async isImported(title, signal) {
      const movie = await findMovie(openServarrApi(access, signal), title)
      return movie?.hasFile === true
    },
  }
}

async function findMovie(api: ServarrApi, { catalogId }: RequestedTitle): Promise<Movie | undefined> {
  const movies = await api.get(`/movie?tmdbId=${catalogId}`, z.array(Movie))
  return movies.find(({ tmdbId }) => tmdbId === catalogId)
}

async function addMovie(api: ServarrApi, config: Config, { catalogId }: RequestedTitle): Promise<void> {
  const results = await api.get(`/movie/lookup?term=tmdb:${catalogId}`, z.array(Found))
  const found = results.find(({ tmdbId }) => tmdbId === catalogId)
  if (found === undefined) throw new Error(`Radarr finds no movie with TMDB id ${catalogId}.`)
  const movie = {
    ...found,
    ...(await findDownloadTarget(api, 'radarr', config)),
    monitored: true,
    minimumAvailability: MINIMUM_AVAILABILITY,
    tags: [],
    addOptions: { searchForMovie: true },
  }
  try {
    await api.post('/movie', movie, Movie)
  } catch (error) {
    // Another request added the title at the same time.
    const isThere = error instanceof ServarrRejection && error.validators.includes('MovieExistsValidator')
    if (!isThere) throw error
  }
}

/** Enables the monitoring of a movie that Radarr has with monitoring disabled, and starts a search. */
async function monitorMovie(api: ServarrApi, movie: Movie): Promise<void> {
  await api.put(`/movie/${movie.id}`, { ...movie, monitored: true }, AnyReply)
  await api.post('/command', { name: 'MoviesSearch', movieIds: [movie.id] }, AnyReply)
}
