import { z } from 'zod'
import { metadataErrors } from '../errors.ts'
import type { TitleCandidate, EpisodeFacts, FactsArtwork, TitleFacts, TitleKind } from '../provider-facts.ts'
import type { RequestOptions, SearchProvider } from '../provider.ts'
import { describeError } from '../../platform/errors/index.ts'
import { isJsonObject } from '../../platform/json/index.ts'
import {
  LenientNumber,
  LenientDate,
  LenientId,
  omitAbsentValues,
  lenientList,
  lenientObject,
  LenientText,
} from './lenient-schemas.ts'

/** A title provider that a plugin supplies. Its results are not trusted. */
export type PluginTitleProvider = {
  /** Name of the source in the provider order of a library, and key of its ids among the ids of a title. */
  name: `phlix-plugin-${string}`
  /**
   * Calls one of the methods that docs/plugins.md lists for metadata providers.
   * @returns JSON that is not checked; null: unknown
   * @throws AppError if the plugin does not respond; the reason of the signal
   */
  ask: (method: string, question: object, signal?: AbortSignal) => Promise<unknown>
}

const MAX_NAME_CHARACTERS = 500
const MAX_ID_CHARACTERS = 200
const MAX_ADDRESS_CHARACTERS = 2048
const MAX_NUMBER = 9999

/** A name on one line: control characters are replaced by spaces. Null if the name has no other characters. */
const Name = LenientText.transform(
  (text) =>
    text
      ?.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME_CHARACTERS) || null,
)

/** The database stores years and numbers in four bytes. */
const SmallNumber = LenientNumber.transform((value) =>
  value !== null && Number.isInteger(value) && value >= 0 && value <= MAX_NUMBER ? value : null,
)
const Year = SmallNumber.transform((year) => (year === 0 ? null : year))

/** The id at the source, for which it is a word of its own. */
const OwnId = z
  .union([z.string(), z.int().transform(String)])
  .refine((id) => /^[\x21-\x7E]+$/.test(id) && id.length <= MAX_ID_CHARACTERS)

/** Only an address can be requested later; the client for pictures decides to which servers. */
const Address = LenientText.transform((text) => {
  const url = text === null || text.length > MAX_ADDRESS_CHARACTERS ? null : URL.parse(text)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
})

const Imdb = LenientText.transform((text) => (text !== null && /^tt\d{7,9}$/.test(text) ? text : null))

const CandidateReply = z.object({
  id: OwnId,
  title: Name.refine((title) => title !== null),
  original_title: Name,
  year: Year,
  overview: LenientText,
  poster: Address,
  popularity: LenientNumber,
})

const TITLE = {
  name: Name,
  original_title: Name,
  titles: lenientList(Name, 100),
  year: Year,
  overview: LenientText,
  tagline: Name,
  genres: lenientList(Name, 50),
  studio: Name,
  content_rating: Name,
  release_date: LenientDate,
  vote_average: LenientNumber,
  director: Name,
  cast: lenientList(z.object({ name: Name, role: Name }), 200),
  external_ids: lenientObject({ tmdb: LenientId, tvdb: LenientId, imdb: Imdb }),
  seasons: lenientList(z.object({ number: z.int().min(0).max(MAX_NUMBER), air_date: LenientDate }), 500),
  poster: Address,
  backdrop: Address,
  logo: Address,
}

const EpisodeReply = z.object({
  number: z.int().min(0).max(MAX_NUMBER),
  name: Name,
  overview: LenientText,
  air_date: LenientDate,
  still: Address,
})

const SEASON = {
  name: Name,
  year: Year,
  overview: LenientText,
  air_date: LenientDate,
  poster: Address,
  episodes: lenientList(EpisodeReply, 3000),
}

const SearchReply = lenientList(CandidateReply, 50)
const TitleReply = lenientObject(TITLE)
const SeasonReply = lenientObject(SEASON)

/**
 * Creates the provider for a plugin, whose replies are not trusted. A value of an unexpected type is treated as absent. A reply can neither
 * name a title other than the requested one nor end the job: every failure is `metadata.source_failed`, except the reason of the signal.
 */
export function createPluginProvider({ name, ask }: PluginTitleProvider): SearchProvider {
  async function question(method: string, input: object, { signal }: RequestOptions): Promise<unknown> {
    try {
      return await ask(method, input, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw metadataErrors.source_failed({ message: describeError(error), cause: error })
    }
  }

  async function object(method: string, input: object, options: RequestOptions): Promise<object | undefined> {
    const reply = await question(method, input, options)
    if (reply === null) return undefined
    if (isJsonObject(reply)) return reply
    throw metadataErrors.source_failed({ message: `${name} did not reply to ${method} with an object` })
  }

  return {
    name,
    idName: name,
    // The key of a plugin is not known to this program, so it cannot be checked.
    checkKey: () => Promise.resolve(),

    async findId({ kind, ids }, options) {
      const { [name]: own, ...elsewhere } = ids
      if (own !== undefined || Object.keys(elsewhere).length === 0) return own
      const { tmdb, imdb, tvdb } = elsewhere
      const id = OwnId.safeParse(await question('findTitle', { kind, ids: { tmdb, imdb, tvdb } }, options))
      return id.success ? id.data : undefined
    },

    async search({ kind, title, year }, options) {
      const reply = await question('searchTitles', { kind, title, year: year ?? null }, options)
      if (reply !== null && !Array.isArray(reply)) {
        throw metadataErrors.source_failed({ message: `${name} did not reply to searchTitles with a list` })
      }
      return SearchReply.parse(reply).map((row) => candidateOf(kind, row))
    },

    async readTitle({ kind, id }, options) {
      const reply = await object('readTitle', { kind, id }, options)
      return reply === undefined ? undefined : titleFacts({ name, kind, id }, TitleReply.parse(reply))
    },

    async readSeason({ seriesId, number }, options) {
      const reply = await object('readSeason', { id: seriesId, number }, options)
      if (reply === undefined) return undefined
      const { name: title, year, overview, air_date, poster, episodes } = SeasonReply.parse(reply)
      return {
        number,
        name: title,
        year,
        metadata: omitAbsentValues({ overview, air_date }),
        artwork: { poster },
        episodes: episodes.map(episodeFacts),
      }
    },

    // A person chooses among the posters of TMDB only.
    listPosters: async () => [],
  }
}

function candidateOf(kind: TitleKind, row: z.output<typeof CandidateReply>): TitleCandidate {
  return {
    id: row.id,
    kind,
    title: row.title ?? '',
    originalTitle: row.original_title,
    year: row.year,
    overview: row.overview,
    posterUrl: row.poster,
    backdropUrl: null,
    voteAverage: null,
    popularity: row.popularity ?? 0,
  }
}

function titleFacts(
  { name: source, kind, id }: { name: PluginTitleProvider['name']; kind: TitleKind; id: string },
  reply: z.output<typeof TitleReply>,
): TitleFacts {
  const { name, titles, seasons, cast } = reply
  const people = cast.filter((person) => person.name !== null)
  const artwork: FactsArtwork = { poster: reply.poster, backdrop: reply.backdrop, logo: reply.logo }
  return {
    kind,
    id,
    name,
    year: reply.year,
    titles: [name, reply.original_title, ...titles].filter((title) => title !== null),
    seasons: seasons.map(({ number, air_date: airDate }) => ({ number, airDate })),
    metadata: omitAbsentValues({
      original_title: reply.original_title,
      overview: reply.overview,
      tagline: reply.tagline,
      genres: reply.genres.filter((genre) => genre !== null),
      studio: reply.studio,
      content_rating: reply.content_rating,
      release_date: kind === 'movie' ? reply.release_date : null,
      air_date: kind === 'tv' ? reply.release_date : null,
      vote_average: reply.vote_average,
      director: reply.director,
      cast: people,
      actors: people.map((person) => person.name),
      external_ids: { ...omitAbsentValues(reply.external_ids), [source]: id },
    }),
    artwork,
  }
}

function episodeFacts(reply: z.output<typeof EpisodeReply>): EpisodeFacts {
  const { number, name, overview, air_date: airDate, still } = reply
  return {
    number,
    airDate,
    name,
    year: airDate === null ? null : Number(airDate.slice(0, 4)) || null,
    metadata: omitAbsentValues({ overview, air_date: airDate }),
    artwork: { still },
  }
}
