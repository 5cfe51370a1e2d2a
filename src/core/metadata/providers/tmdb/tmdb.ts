import type { RequestProvider } from '../../provider-client/request-provider.ts'
import type { TitleCandidate, TitleKind } from '../../provider-facts.ts'
import type { RequestOptions, SearchProvider, ProviderTitle } from '../../provider.ts'
import { parseDateYear } from '../lenient-schemas.ts'
import { createPictureUrlBuilder, type PictureUrlBuilder } from './images.ts'
import {
  TmdbConfiguration,
  FindReply,
  PostersReply,
  SearchReply,
  SeasonReply,
  TitleReply,
  type FoundRow,
} from './replies.ts'
import { seasonFacts, titleFacts, type ReplyReadOptions } from './title-facts.ts'

/** The additional parts of a title, in the same request (at most 20 parts). */
const PARTS: Readonly<Record<TitleKind, string>> = {
  movie: 'credits,external_ids,images,videos,release_dates,keywords,alternative_titles',
  tv: 'credits,external_ids,images,videos,content_ratings,keywords,alternative_titles',
}

/** The Movie Database, version 3 of its API. @param input.language as `en-US`; `input.country` as `US` */
export function createTmdb(input: { request: RequestProvider; language: string; country: string }): SearchProvider {
  const { request, country } = input
  const language = input.language.slice(0, 2)

  const addresses = async (options: RequestOptions): Promise<PictureUrlBuilder> => {
    // The configuration changes about once in ten years, so a cached reply is always accepted.
    const reply = await request({ path: '/configuration', schema: TmdbConfiguration }, { signal: options.signal })
    return createPictureUrlBuilder(reply?.images ?? TmdbConfiguration.parse({}).images)
  }
  const reading = async (options: RequestOptions): Promise<ReplyReadOptions> => ({
    addressOf: await addresses(options),
    language,
    country,
  })

  return {
    name: 'TMDB',
    idName: 'tmdb',

    async checkKey(options) {
      await request({ path: '/configuration', schema: TmdbConfiguration }, options)
    },

    async search({ kind, title, year }, options) {
      const query = {
        query: title,
        language: input.language,
        include_adult: 'false',
        page: '1',
        [kind === 'movie' ? 'year' : 'first_air_date_year']: year === undefined ? undefined : String(year),
      }
      const reply = await request({ path: `/search/${kind}`, query, schema: SearchReply }, options)
      const rows = reply?.results ?? []
      const addressOf = rows.length === 0 ? noPictures : await addresses(options)
      return rows.map((row) => candidateOf(kind, row, addressOf))
    },

    async findId({ kind, ids }, options) {
      if (ids.tmdb !== undefined) return ids.tmdb
      for (const [source, id] of [
        ['imdb_id', ids.imdb],
        ['tvdb_id', ids.tvdb],
      ] as const) {
        if (id === undefined) continue
        const query = { external_source: source, language: input.language }
        const reply = await request({ path: `/find/${encodeURIComponent(id)}`, query, schema: FindReply }, options)
        const [match] = (kind === 'movie' ? reply?.movie_results : reply?.tv_results) ?? []
        if (match !== undefined) return String(match.id)
      }
      return undefined
    },

    async readTitle({ kind, id }, options) {
      const query = {
        language: input.language,
        append_to_response: PARTS[kind],
        include_image_language: `${language},null`,
        include_video_language: `${language},en,null`,
      }
      const reply = await request({ path: `/${kind}/${encodeURIComponent(id)}`, query, schema: TitleReply }, options)
      return reply === undefined ? undefined : titleFacts(kind, reply, await reading(options))
    },

    async readSeason({ seriesId, number }, options) {
      const path = `/tv/${encodeURIComponent(seriesId)}/season/${number}`
      const reply = await request({ path, query: { language: input.language }, schema: SeasonReply }, options)
      return reply === undefined ? undefined : seasonFacts(reply, await reading(options))
    },

    listPosters: (title, options) => listPosters({ request, language, addresses }, title, options),
  }
}

type PosterSource = {
  request: RequestProvider
  language: string
  addresses: (options: RequestOptions) => Promise<PictureUrlBuilder>
}

async function listPosters(
  { request, language, addresses }: PosterSource,
  { kind, id }: ProviderTitle,
  options: RequestOptions,
) {
  const query = { include_image_language: `${language},en,null` }
  const reply = await request(
    { path: `/${kind}/${encodeURIComponent(id)}/images`, query, schema: PostersReply },
    options,
  )
  const addressOf = await addresses(options)
  return (reply?.posters ?? []).flatMap(({ file_path: path, width, height, vote_average, vote_count }) => {
    const url = addressOf('poster', path)
    return url === null ? [] : [{ url, width, height, votes: vote_count ?? 0, voteAverage: vote_average ?? 0 }]
  })
}

const noPictures: PictureUrlBuilder = () => null

function candidateOf(kind: TitleKind, row: FoundRow, addressOf: PictureUrlBuilder): TitleCandidate {
  return {
    id: String(row.id),
    kind,
    title: row.title ?? row.name ?? '',
    originalTitle: row.original_title ?? row.original_name,
    year: parseDateYear(row.release_date ?? row.first_air_date),
    overview: row.overview,
    posterUrl: addressOf('poster', row.poster_path),
    backdropUrl: addressOf('backdrop', row.backdrop_path),
    voteAverage: row.vote_average,
    popularity: row.popularity ?? 0,
  }
}
