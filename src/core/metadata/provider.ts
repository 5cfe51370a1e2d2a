import type {
  TitleCandidate,
  ExternalIds,
  PosterCandidate,
  SeasonFacts,
  TitleFacts,
  TitleKind,
} from './provider-facts.ts'

/** Options of one request to a provider. */
export type RequestOptions = {
  signal: AbortSignal
  /** Ignores replies that were cached before this moment. Default: any cached reply of the last day is accepted. */
  notBefore?: Date | undefined
}

export type ProviderTitle = { kind: TitleKind; id: string }

/**
 * A source of facts about films and series. It writes nothing. Every method throws AppError `metadata.…_unreachable` if the provider does
 * not answer or refuses the key, `metadata_reply_invalid` for an invalid reply, and the reason of the signal.
 */
export type TitleProvider = {
  /** Name in jobs and logs. */
  name: string
  /** The key of the provider's own id among the external ids. */
  idName: keyof ExternalIds
  /** Makes a small request to check that the key is accepted. `notBefore` skips cached replies. */
  checkKey(options: RequestOptions): Promise<void>
  /** The provider's own id for external ids; undefined if it knows none of them. */
  findId(wanted: { kind: TitleKind; ids: ExternalIds }, options: RequestOptions): Promise<string | undefined>
  /** Everything about a title in one request; undefined for an unknown id. */
  readTitle(title: ProviderTitle, options: RequestOptions): Promise<TitleFacts | undefined>
  /** A season with all its episodes in one request. */
  readSeason(season: { seriesId: string; number: number }, options: RequestOptions): Promise<SeasonFacts | undefined>
}

/** A provider that can also be searched by title. */
export type SearchProvider = TitleProvider & {
  /** @param wanted.year of the first release; absent: any year */
  search(
    wanted: { kind: TitleKind; title: string; year?: number | undefined },
    options: RequestOptions,
  ): Promise<TitleCandidate[]>
  listPosters(title: ProviderTitle, options: RequestOptions): Promise<PosterCandidate[]>
}
