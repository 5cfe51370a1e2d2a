import { z } from 'zod'
import { Amount, Day, Flag, Id, listOf, part, Text } from '../lenient-schemas.ts'

/** Schemas of the replies of TMDB (version 3 of its API). */

const MAX_PEOPLE = 60
const MAX_NAMES = 100
const MAX_PICTURES = 60

const named = (most = MAX_NAMES) => listOf(z.object({ name: Text }), most)

export const Configuration = z.object({
  images: part({
    secure_base_url: Text,
    poster_sizes: listOf(z.string(), 30),
    backdrop_sizes: listOf(z.string(), 30),
    logo_sizes: listOf(z.string(), 30),
    profile_sizes: listOf(z.string(), 30),
    still_sizes: listOf(z.string(), 30),
  }),
})

/** The fields of a film or a series in every reply. */
const titleFields = {
  id: z.number().int().positive(),
  title: Text,
  name: Text,
  original_title: Text,
  original_name: Text,
  overview: Text,
  release_date: Day,
  first_air_date: Day,
  poster_path: Text,
  backdrop_path: Text,
  vote_average: Amount,
}

const FoundRow = z.object({
  ...titleFields,
  popularity: Amount,
})

export type FoundRow = z.infer<typeof FoundRow>

export const SearchReply = z.object({ results: listOf(FoundRow, 20) })

export const FindReply = z.object({ movie_results: listOf(FoundRow, 20), tv_results: listOf(FoundRow, 20) })

const Picture = z.object({
  file_path: z.string(),
  width: z.number(),
  height: z.number(),
  iso_639_1: Text,
  vote_average: Amount,
  vote_count: Amount,
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
  return listOf(z.object({ name: z.string(), job: Text, profile_path: Text }), 3000).transform((crew) =>
    crew.filter(({ job }) => JOBS.has(job)).slice(0, MAX_PEOPLE),
  )
}

const Credits = part({
  cast: listOf(z.object({ name: z.string(), character: Text, profile_path: Text }), MAX_PEOPLE),
  crew: crewList(),
})

const otherTitles = listOf(z.object({ title: z.string() }), MAX_NAMES)

const ratings = listOf(
  z.object({
    iso_3166_1: z.string(),
    /** The content rating of a series. */
    rating: Text,
    /** The release dates of a film, with its content ratings. */
    release_dates: listOf(z.object({ certification: Text, type: Amount }), 30),
  }),
  300,
)

/** A film or a series with the additional parts of the same request. */
export const TitleReply = z.object({
  ...titleFields,
  tagline: Text,
  vote_count: Amount,
  imdb_id: Text,
  genres: named(),
  created_by: named(),
  production_companies: listOf(z.object({ name: z.string(), logo_path: Text, origin_country: Text }), MAX_NAMES),
  networks: named(),
  belongs_to_collection: part({ id: Id, name: Text }),
  seasons: listOf(z.object({ season_number: z.number().int(), air_date: Day }), 500),
  credits: Credits,
  external_ids: part({ imdb_id: Text, tvdb_id: Id }),
  images: part({ logos: listOf(Picture, MAX_PICTURES), posters: listOf(Picture, MAX_PICTURES) }),
  videos: part({
    results: listOf(z.object({ site: Text, type: Text, key: Text, official: Flag, iso_639_1: Text }), MAX_NAMES),
  }),
  release_dates: part({ results: ratings }),
  content_ratings: part({ results: ratings }),
  /** Films have `keywords`, series `results`. */
  keywords: part({ keywords: named(), results: named() }),
  alternative_titles: part({ titles: otherTitles, results: otherTitles }),
})

export type TitleReply = z.infer<typeof TitleReply>

export const SeasonReply = z.object({
  season_number: z.number().int(),
  name: Text,
  overview: Text,
  air_date: Day,
  poster_path: Text,
  episodes: listOf(
    z.object({
      episode_number: z.number().int(),
      name: Text,
      overview: Text,
      air_date: Day,
      still_path: Text,
      vote_average: Amount,
      vote_count: Amount,
      crew: crewList(),
      guest_stars: listOf(z.object({ name: z.string(), character: Text, profile_path: Text }), MAX_PEOPLE),
    }),
    3000,
  ),
})

export type SeasonReply = z.infer<typeof SeasonReply>

export const PostersReply = z.object({ posters: listOf(Picture, 500) })
