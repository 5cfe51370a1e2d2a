import { z } from 'zod'
import type { RequestProvider } from '../provider-client/request-provider.ts'
import type { TitleFacts } from '../provider-facts.ts'
import type { TitleProvider } from '../provider.ts'
import {
  LenientNumber,
  LenientDate,
  LenientId,
  omitAbsentValues,
  lenientList,
  lenientObject,
  LenientText,
  parseDateYear,
} from './lenient-schemas.ts'

const RECORD = {
  id: LenientId,
  name: LenientText,
  overview: LenientText,
  image: LenientText,
  firstAired: LenientDate,
  first_release: lenientObject({ date: LenientDate }),
  aliases: lenientList(z.object({ name: z.string() }), 100),
  genres: lenientList(z.object({ name: LenientText }), 100),
  companies: lenientList(z.object({ name: LenientText }), 100),
  remoteIds: lenientList(z.object({ id: z.string(), sourceName: LenientText }), 100),
  seasons: lenientList(z.object({ number: z.number().int(), type: lenientObject({ type: LenientText }) }), 500),
}

const TitleReply = z.object({ data: lenientObject(RECORD) })

const EpisodesReply = z.object({
  data: lenientObject({
    episodes: lenientList(
      z.object({
        number: z.number().int(),
        seasonNumber: LenientNumber,
        name: LenientText,
        overview: LenientText,
        aired: LenientDate,
        image: LenientText,
      }),
      3000,
    ),
  }),
})

const RemoteIdReply = z.object({
  data: lenientList(
    z.object({ series: lenientObject({ id: LenientId }), movie: lenientObject({ id: LenientId }) }),
    20,
  ),
})

/** TheTVDB, version 4 of its API: lookup by id only, for titles that TMDB does not have. */
export function createTvdb({ request }: { request: RequestProvider }): TitleProvider {
  return {
    name: 'TVDB',
    idName: 'tvdb',

    async checkKey(options) {
      // This request triggers the login.
      await request({ path: '/languages', schema: z.object({}) }, options)
    },

    async findId({ kind, ids }, options) {
      if (kind === 'tv' && ids.tvdb !== undefined) return ids.tvdb
      const remote = ids.imdb
      if (remote === undefined) return undefined
      const path = `/search/remoteid/${encodeURIComponent(remote)}`
      const reply = await request({ path, schema: RemoteIdReply }, options)
      const found = (reply?.data ?? []).map((row) => (kind === 'tv' ? row.series.id : row.movie.id))
      return found.find((id) => id !== null) ?? undefined
    },

    async readTitle({ kind, id }, options) {
      const path = `/${kind === 'tv' ? 'series' : 'movies'}/${encodeURIComponent(id)}/extended`
      const reply = await request({ path, query: { short: 'true' }, schema: TitleReply }, options)
      return reply === undefined ? undefined : titleFacts(kind, id, reply.data)
    },

    async readSeason({ seriesId, number }, options) {
      const path = `/series/${encodeURIComponent(seriesId)}/episodes/default`
      const reply = await request(
        { path, query: { page: '0', season: String(number) }, schema: EpisodesReply },
        options,
      )
      if (reply === undefined) return undefined
      const episodes = reply.data.episodes.filter(({ seasonNumber }) => seasonNumber === number)
      return {
        number,
        name: null,
        year: null,
        metadata: {},
        artwork: {},
        episodes: episodes.map(({ number: episode, name, overview, aired, image }) => ({
          number: episode,
          airDate: aired,
          name,
          year: parseDateYear(aired),
          metadata: omitAbsentValues({ overview, air_date: aired }),
          artwork: { still: pictureOf(image) },
        })),
      }
    },
  }
}

type TvdbRecord = z.infer<typeof TitleReply>['data']

function titleFacts(kind: TitleFacts['kind'], id: string, record: TvdbRecord): TitleFacts {
  const { name, aliases, genres, companies, remoteIds, seasons } = record
  const day = record.firstAired ?? record.first_release.date
  const remote = (source: string): string | undefined => remoteIds.find(({ sourceName }) => sourceName === source)?.id
  return {
    kind,
    id,
    name,
    year: parseDateYear(day),
    titles: [...(name === null ? [] : [name]), ...aliases.map((alias) => alias.name)],
    seasons: seasons.filter(({ type }) => type.type === 'official').map(({ number }) => ({ number, airDate: null })),
    metadata: omitAbsentValues({
      overview: record.overview,
      release_date: kind === 'movie' ? day : null,
      air_date: kind === 'tv' ? day : null,
      genres: genres.flatMap((genre) => genre.name ?? []),
      studio: companies[0]?.name ?? null,
      external_ids: omitAbsentValues({ tvdb: id, imdb: remote('IMDB'), tmdb: remote('TheMovieDB.com') }),
    }),
    artwork: { poster: pictureOf(record.image) },
  }
}

/** The reply contains complete URLs. */
function pictureOf(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  return url?.protocol === 'https:' ? url.href : null
}
