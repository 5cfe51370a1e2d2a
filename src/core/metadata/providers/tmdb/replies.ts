import { z } from 'zod'
import {
  LenientNumber,
  LenientDate,
  LenientFlag,
  LenientId,
  lenientList,
  lenientObject,
  LenientText,
} from '../lenient-schemas.ts'

/** Schemas of the replies of TMDB (version 3 of its API). */

const MAX_PEOPLE = 60
const MAX_NAMES = 100
const MAX_PICTURES = 60

const named = (most = MAX_NAMES) => lenientList(z.object({ name: LenientText }), most)

export const TmdbConfiguration = z.object({
  images: lenientObject({
    secure_base_url: LenientText,
    poster_sizes: lenientList(z.string(), 30),
    backdrop_sizes: lenientList(z.string(), 30),
    logo_sizes: lenientList(z.string(), 30),
    profile_sizes: lenientList(z.string(), 30),
    still_sizes: lenientList(z.string(), 30),
  }),
})

/** The fields of a film or a series in every reply. */
const titleFields = {
  id: z.number().int().positive(),
  title: LenientText,
  name: LenientText,
  original_title: LenientText,
  original_name: LenientText,
  overview: LenientText,
  release_date: LenientDate,
  first_air_date: LenientDate,
  poster_path: LenientText,
  backdrop_path: LenientText,
  vote_average: LenientNumber,
}

const FoundRow = z.object({
  ...titleFields,
  popularity: LenientNumber,
})

export type FoundRow = z.infer<typeof FoundRow>

export const SearchReply = z.object({ results: lenientList(FoundRow, 20) })

export const FindReply = z.object({ movie_results: lenientList(FoundRow, 20), tv_results: lenientList(FoundRow, 20) })

const Picture = z.object({
  file_path: z.string(),
  width: z.number(),
  height: z.number(),
  iso_639_1: LenientText,
  vote_average: LenientNumber,
  vote_count: LenientNumber,
})

/** The crew jobs that people look for, among the hundreds of people of a film. */
const JOBS: ReadonlySet<string | null> = new Set([
  'Director',
  'Writer',
  'Screenplay',
  'Story',
  'Novel',
  'Characters',
  'Creator',
  'Producer',
  'Executive Producer',
  'Original Music Composer',
  'Director of Photography',
  'Editor',
])

function crewList() {
  return lenientList(z.object({ name: z.string(), job: LenientText, profile_path: LenientText }), 3000).transform(
    (crew) => crew.filter(({ job }) => JOBS.has(job)).slice(0, MAX_PEOPLE),
  )
}

const Credits = lenientObject({
  cast: lenientList(z.object({ name: z.string(), character: LenientText, profile_path: LenientText }), MAX_PEOPLE),
  crew: crewList(),
})

const otherTitles = lenientList(z.object({ title: z.string() }), MAX_NAMES)

const ratings = lenientList(
  z.object({
    iso_3166_1: z.string(),
    /** The content rating of a series. */
    rating: LenientText,
    /** The release dates of a film, with its content ratings. */
    release_dates: lenientList(z.object({ certification: LenientText, type: LenientNumber }), 30),
  }),
  300,
)

/** A film or a series with the additional parts of the same request. */
export const TitleReply = z.object({
  ...titleFields,
  tagline: LenientText,
  vote_count: LenientNumber,
  imdb_id: LenientText,
  genres: named(),
  created_by: named(),
  production_companies: lenientList(
    z.object({ name: z.string(), logo_path: LenientText, origin_country: LenientText }),
    MAX_NAMES,
  ),
  networks: named(),
  belongs_to_collection: lenientObject({ id: LenientId, name: LenientText }),
  seasons: lenientList(z.object({ season_number: z.number().int(), air_date: LenientDate }), 500),
  credits: Credits,
  external_ids: lenientObject({ imdb_id: LenientText, tvdb_id: LenientId }),
  images: lenientObject({ logos: lenientList(Picture, MAX_PICTURES), posters: lenientList(Picture, MAX_PICTURES) }),
  videos: lenientObject({
    results: lenientList(
      z.object({
        site: LenientText,
        type: LenientText,
        key: LenientText,
        official: LenientFlag,
        iso_639_1: LenientText,
      }),
      MAX_NAMES,
    ),
  }),
  release_dates: lenientObject({ results: ratings }),
  content_ratings: lenientObject({ results: ratings }),
  /** Films have `keywords`, series `results`. */
  keywords: lenientObject({ keywords: named(), results: named() }),
  alternative_titles: lenientObject({ titles: otherTitles, results: otherTitles }),
})

export type TitleReply = z.infer<typeof TitleReply>

export const SeasonReply = z.object({
  season_number: z.number().int(),
  name: LenientText,
  overview: LenientText,
  air_date: LenientDate,
  poster_path: LenientText,
  episodes: lenientList(
    z.object({
      episode_number: z.number().int(),
      name: LenientText,
      overview: LenientText,
      air_date: LenientDate,
      still_path: LenientText,
      vote_average: LenientNumber,
      vote_count: LenientNumber,
      crew: crewList(),
      guest_stars: lenientList(
        z.object({ name: z.string(), character: LenientText, profile_path: LenientText }),
        MAX_PEOPLE,
      ),
    }),
    3000,
  ),
})

export type SeasonReply = z.infer<typeof SeasonReply>

export const PostersReply = z.object({ posters: lenientList(Picture, 500) })
