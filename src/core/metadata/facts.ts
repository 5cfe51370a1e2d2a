/** Numbers that name one title at several places; texts, as names and NFO files give them. */
export type ExternalIds = { tmdb?: string; imdb?: string; tvdb?: string }

export const TITLE_KINDS = ['movie', 'tv'] as const

/** What a provider keeps apart: films, and everything in seasons. */
export type TitleKind = (typeof TITLE_KINDS)[number]

/** Addresses of pictures; null where the provider has none. */
export type FactsArtwork = Partial<Record<'poster' | 'backdrop' | 'logo' | 'still', string | null>>

/** What a provider says about a film, a series, a season or an episode. */
export type Facts = {
  name: string | null
  year: number | null
  /** Under the keys of metadata-keys.ts; what the provider does not say is left out. */
  metadata: Record<string, unknown>
  artwork: FactsArtwork
}

/** A film or a series with what tells whether it is the one that was meant, and which seasons can be asked for. */
export type TitleFacts = Facts & {
  kind: TitleKind
  /** The provider's own number. */
  id: string
  /** Everything it is called: in this language, at home, elsewhere. */
  titles: string[]
  seasons: { number: number; airDate: string | null }[]
}

export type EpisodeFacts = Facts & { number: number; airDate: string | null }

export type SeasonFacts = Facts & { number: number; episodes: EpisodeFacts[] }

/** One row of a search. */
export type Candidate = {
  id: string
  kind: TitleKind
  title: string
  originalTitle: string | null
  year: number | null
  overview: string | null
  posterUrl: string | null
  backdropUrl: string | null
  voteAverage: number | null
  popularity: number
}

/** A picture that a title could be shown by. */
export type PosterCandidate = { url: string; width: number; height: number; votes: number; voteAverage: number }
