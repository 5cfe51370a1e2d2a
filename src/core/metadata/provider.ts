import type { Candidate, ExternalIds, PosterCandidate, SeasonFacts, TitleFacts, TitleKind } from './facts.ts'

/** How one question is asked. */
export type Asked = {
  signal: AbortSignal
  /** Replies that were kept before this moment are asked for again; without it any of the last day will do. */
  notBefore?: Date | undefined
}

export type Title = { kind: TitleKind; id: string }

/**
 * A source of facts about films and series. Nothing is written by it. Every method throws AppError `metadata.…_unreachable` when the
 * provider does not answer or refuses the key, `metadata_reply_invalid` for a reply that cannot be understood, and the signal's reason.
 */
export type TitleProvider = {
  /** As jobs and logs call it. */
  name: string
  /** Under which of the external ids its own numbers stand. */
  idName: keyof ExternalIds
  /** Asks something small, to find out whether the key is accepted. `notBefore` leaves kept replies out. */
  checkKey(asked: Asked): Promise<void>
  /** Its own number of what other places number so; undefined when it knows nothing by them. */
  findId(wanted: { kind: TitleKind; ids: ExternalIds }, asked: Asked): Promise<string | undefined>
  /** Everything about a title in one request; undefined for a number that it does not have. */
  readTitle(title: Title, asked: Asked): Promise<TitleFacts | undefined>
  /** A season with all its episodes in one request. */
  readSeason(season: { seriesId: string; number: number }, asked: Asked): Promise<SeasonFacts | undefined>
}

/** One that can also be searched by title. */
export type SearchProvider = TitleProvider & {
  /** @param wanted.year of the first release; of any when left out */
  search(wanted: { kind: TitleKind; title: string; year?: number | undefined }, asked: Asked): Promise<Candidate[]>
  listPosters(title: Title, asked: Asked): Promise<PosterCandidate[]>
}
