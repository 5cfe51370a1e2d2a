import type { EpisodeFacts, SeasonFacts, TitleFacts, TitleKind } from '../../provider-facts.ts'
import { omitAbsentValues, parseDateYear } from '../lenient-schemas.ts'
import type { PictureUrlBuilder } from './images.ts'
import type { SeasonReply, TitleReply } from './replies.ts'
import { chooseTrailer } from './trailer.ts'

/** Options that affect how a reply is read. */
export type ReplyReadOptions = {
  addressOf: PictureUrlBuilder
  /** The language part: `en` for `en-US`. */
  language: string
  /** Two letters; the country of the content ratings. */
  country: string
}

/** Converts a film or a series to facts with the metadata keys of the catalogue. */
export function titleFacts(kind: TitleKind, reply: TitleReply, reading: ReplyReadOptions): TitleFacts {
  const name = reply.title ?? reply.name
  const original = reply.original_title ?? reply.original_name
  const day = reply.release_date ?? reply.first_air_date
  const rating = contentRating(reply, reading.country)
  const others = [...reply.alternative_titles.titles, ...reply.alternative_titles.results].map(({ title }) => title)
  return {
    kind,
    id: String(reply.id),
    name,
    year: parseDateYear(day),
    titles: [name, original, ...others].filter((title) => title !== null),
    seasons: reply.seasons.map(({ season_number: number, air_date: airDate }) => ({ number, airDate })),
    metadata: omitAbsentValues({
      original_title: original,
      overview: reply.overview,
      tagline: reply.tagline,
      release_date: kind === 'movie' ? day : null,
      air_date: kind === 'tv' ? day : null,
      genres: namesOf(reply.genres),
      tags: namesOf([...reply.keywords.keywords, ...reply.keywords.results]),
      rating,
      rating_country: rating === null ? null : reading.country,
      vote_average: reply.vote_average,
      vote_count: reply.vote_count,
      ...people(reply, reading),
      ...companies(reply, reading),
      ...chooseTrailer(reply.videos.results, reading.language),
      external_ids: omitAbsentValues({
        tmdb: String(reply.id),
        imdb: imdbId(reply.imdb_id) ?? imdbId(reply.external_ids.imdb_id),
        tvdb: reply.external_ids.tvdb_id,
      }),
      collection: collectionOf(reply),
    }),
    artwork: {
      poster: reading.addressOf('poster', reply.poster_path),
      backdrop: reading.addressOf('backdrop', reply.backdrop_path),
      logo: reading.addressOf('logo', logoPath(reply, reading.language)),
    },
  }
}

/** A season with its episodes. */
export function seasonFacts(reply: SeasonReply, reading: ReplyReadOptions): SeasonFacts {
  return {
    number: reply.season_number,
    name: reply.name,
    year: parseDateYear(reply.air_date),
    metadata: omitAbsentValues({ overview: reply.overview, air_date: reply.air_date }),
    artwork: { poster: reading.addressOf('poster', reply.poster_path) },
    episodes: reply.episodes.map((episode) => episodeFacts(episode, reading)),
  }
}

function episodeFacts(episode: SeasonReply['episodes'][number], { addressOf }: ReplyReadOptions): EpisodeFacts {
  const { air_date: airDate } = episode
  return {
    number: episode.episode_number,
    airDate,
    name: episode.name,
    year: parseDateYear(airDate),
    metadata: omitAbsentValues({
      overview: episode.overview,
      air_date: airDate,
      vote_average: episode.vote_average,
      vote_count: episode.vote_count,
      director: joinedNames(episode.crew, 'Director'),
      crew: crewOf(episode.crew, addressOf),
      cast: castOf(episode.guest_stars, addressOf),
      actors: episode.guest_stars.map(({ name }) => name),
    }),
    artwork: { still: addressOf('still', episode.still_path) },
  }
}

type Crew = TitleReply['credits']['crew']
type Cast = TitleReply['credits']['cast']

function people(
  { credits, created_by: creators }: TitleReply,
  { addressOf }: ReplyReadOptions,
): Record<string, unknown> {
  const made = namesOf(creators)
  return {
    actors: credits.cast.map(({ name }) => name),
    cast: castOf(credits.cast, addressOf),
    crew: crewOf(credits.crew, addressOf),
    director: joinedNames(credits.crew, 'Director') ?? (made.length === 0 ? null : made.join(', ')),
  }
}

function castOf(cast: Cast, addressOf: PictureUrlBuilder) {
  return cast.map(({ name, character: role, profile_path: path }) => ({
    name,
    role,
    profile_url: addressOf('profile', path),
  }))
}

function crewOf(crew: Crew, addressOf: PictureUrlBuilder) {
  return crew.map(({ name, job, profile_path: path }) => ({ name, job, profile_url: addressOf('profile', path) }))
}

function joinedNames(crew: Crew, job: string): string | null {
  const names = crew.filter((person) => person.job === job).map(({ name }) => name)
  return names.length === 0 ? null : names.join(', ')
}

function companies(reply: TitleReply, { addressOf }: ReplyReadOptions): Record<string, unknown> {
  const made = reply.production_companies
  return {
    production_companies: made.map(({ name, logo_path: path, origin_country: country }) => ({
      name,
      logo_url: addressOf('logo', path),
      origin_country: country,
    })),
    studio: namesOf(reply.networks)[0] ?? made[0]?.name ?? null,
  }
}

/** The cinema rating has priority over the rating of discs. If the country has no rating, the result is absent. */
function contentRating(
  { release_dates: releases, content_ratings: ratings }: TitleReply,
  country: string,
): string | null {
  const own = [...releases.results, ...ratings.results].filter((one) => one.iso_3166_1 === country)
  const inCinemas = own.flatMap(({ release_dates }) => release_dates).toSorted((one, other) => rank(one) - rank(other))
  return (
    inCinemas.find(({ certification }) => certification !== null)?.certification ??
    own.find(({ rating }) => rating !== null)?.rating ??
    null
  )
}

/** Release types of TMDB: 3 is theatrical, 2 is limited theatrical. */
function rank({ type }: { type: number | null }): number {
  const place = [3, 2].indexOf(type ?? 0)
  return place === -1 ? 2 : place
}

function collectionOf({ belongs_to_collection: { id, name } }: TitleReply): { id: string; name: string } | null {
  return id === null || name === null ? null : { id, name }
}

function logoPath({ images: { logos } }: TitleReply, language: string): string | null {
  const rated = logos.toSorted((one, other) => (other.vote_average ?? 0) - (one.vote_average ?? 0))
  const own = rated.filter((logo) => logo.iso_639_1 === language)
  const readable = [...own, ...rated].find((logo) => !logo.file_path.toLowerCase().endsWith('.svg'))
  return readable?.file_path ?? null
}

function imdbId(text: string | null): string | null {
  return text !== null && /^tt\d{7,9}$/.test(text) ? text : null
}

function namesOf(named: readonly { name: string | null }[]): string[] {
  return named.flatMap(({ name }) => name ?? [])
}
