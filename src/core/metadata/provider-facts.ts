/** Ids of one title at several providers; as texts, because names and NFO files contain them as texts. */
export type ExternalIds = { tmdb?: string; imdb?: string; tvdb?: string; [plugin: `phlix-plugin-${string}`]: string }

export const TITLE_KINDS = ['movie', 'tv'] as const

/** The kinds that providers distinguish: films, and everything with seasons. */
export type TitleKind = (typeof TITLE_KINDS)[number]

/** Addresses of pictures; null if the provider has none. */
export type FactsArtwork = Partial<Record<'poster' | 'backdrop' | 'logo' | 'still', string | null>>

/** What a provider returns about a film, a series, a season or an episode. */
export type ProviderFacts = {
  name: string | null
  year: number | null
  /** Under the keys of metadata-keys.ts; values that the provider does not have are absent. */
  metadata: Record<string, unknown>
  artwork: FactsArtwork
}

/** A film or a series with the facts that identify it, and the seasons that can be requested. */
export type TitleFacts = ProviderFacts & {
  kind: TitleKind
  /** The id at the provider. */
  id: string
  /** All its titles: in this language, the original one, and in other countries. */
  titles: string[]
  seasons: { number: number; airDate: string | null }[]
}

export type EpisodeFacts = ProviderFacts & { number: number; airDate: string | null }

export type SeasonFacts = ProviderFacts & { number: number; episodes: EpisodeFacts[] }

/** One result of a search. */
export type TitleCandidate = {
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

/** A picture that can be used as the poster of a title. */
export type PosterCandidate = { url: string; width: number; height: number; votes: number; voteAverage: number }
