import { parseMovieName } from '../naming/index.ts'
import { chooseCandidate, chooseUncertainCandidate, isConfirmedByTitles, type WantedTitle } from './choose-candidate.ts'
import type { TitleProviders } from './create-providers.ts'
import { metadataErrors } from './errors.ts'
import { AppError } from '../platform/errors/index.ts'
import type { TitleCandidate, ExternalIds, TitleFacts, TitleKind } from './provider-facts.ts'
import { storedTitleKind, type MatchableItem } from './matchable-item.ts'
import type { RequestOptions, SearchProvider, TitleProvider } from './provider.ts'

/** A title with the provider that has it, for requests of its seasons. */
export type FoundTitle = { provider: TitleProvider; facts: TitleFacts }

type WantedItem = {
  wanted: MatchableItem
  /** The kind to look for. */
  kind: TitleKind
  /** Ids that are trusted without a search. */
  ids: ExternalIds
  /** Ids for TVDB, which cannot be searched. */
  fallbackIds: ExternalIds
  /** The names of sources to ask first, from the options of the library. */
  order: readonly string[]
}

/**
 * The unambiguous title of an item, from the first source that has it: by its ids, without a search; else by title and year. Undefined if
 * the title is uncertain. Without another order, TMDB is queried first, then plugins, and last TVDB by ids that only TVDB has.
 * @throws AppError `metadata.source_failed` if a plugin fails and no other source has the title; the errors of other providers at once
 */
export async function findTitle(
  providers: TitleProviders,
  item: WantedItem,
  options: RequestOptions,
): Promise<FoundTitle | undefined> {
  let failure: AppError | undefined
  for (const { provider, find } of inOrder(providers, item, options)) {
    try {
      const facts = await find()
      if (facts !== undefined) return { provider, facts }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== metadataErrors.source_failed.definition.code) throw error
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return undefined
}

type Source = { name: string; provider: TitleProvider; find: () => Promise<TitleFacts | undefined> }

function inOrder({ tmdb, tvdb, others }: TitleProviders, item: WantedItem, options: RequestOptions): Source[] {
  const { wanted, kind, ids, fallbackIds, order } = item
  const searched = (name: string, provider: SearchProvider): Source => ({
    name,
    provider,
    find: async () =>
      (await byIds(provider, { kind, ids }, options)) ?? (await bySearch(provider, { wanted, kind }, options)),
  })
  const { tmdb: _, ...elsewhere } = fallbackIds
  const sources = [
    ...(tmdb === undefined ? [] : [searched('tmdb', tmdb)]),
    ...others().map((provider) => searched(provider.name, provider)),
    ...(tvdb === undefined
      ? []
      : [{ name: 'tvdb', provider: tvdb, find: () => byIds(tvdb, { kind, ids: elsewhere }, options) }]),
  ]
  const placeOf = ({ name }: Source): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return sources.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** An id that the provider does not have (or no longer has) does not end the lookup: the next one may be right. */
async function byIds(
  provider: TitleProvider,
  { kind, ids }: { kind: TitleKind; ids: ExternalIds },
  options: RequestOptions,
): Promise<TitleFacts | undefined> {
  const tried = new Set<string>()
  const { [provider.idName]: own, ...elsewhere } = ids
  for (const some of [own === undefined ? {} : { [provider.idName]: own }, elsewhere]) {
    const id = await provider.findId({ kind, ids: some }, options)
    if (id === undefined || tried.has(id)) continue
    tried.add(id)
    const facts = await provider.readTitle({ kind, id }, options)
    if (facts !== undefined) return facts
  }
  return undefined
}

async function bySearch(
  provider: SearchProvider,
  item: { wanted: MatchableItem; kind: TitleKind },
  options: RequestOptions,
): Promise<TitleFacts | undefined> {
  const { kind } = item
  const titles = wantedTitles(item, provider.idName)
  let uncertain: { candidate: TitleCandidate; wanted: WantedTitle } | undefined
  for (const wanted of titles) {
    // With the year first: a common name can have hundreds of films, and a search returns twenty.
    for (const year of wanted.year === null ? [undefined] : [wanted.year, undefined]) {
      const candidates = await provider.search({ kind, title: wanted.title, year }, options)
      const chosen = chooseCandidate(candidates, wanted)
      if (chosen !== undefined) return provider.readTitle({ kind, id: chosen.id }, options)
      const candidate = chooseUncertainCandidate(candidates, wanted)
      if (candidate !== undefined) uncertain ??= { candidate, wanted }
    }
  }
  if (uncertain === undefined) return undefined
  const facts = await provider.readTitle({ kind, id: uncertain.candidate.id }, options)
  return facts !== undefined && isConfirmedByTitles(facts.titles, facts.year, uncertain.wanted) ? facts : undefined
}

/**
 * The titles to search for. Most videos are no published films, so a video is searched only if its file name has a year. The original
 * title of an NFO is tried second.
 */
function wantedTitles(
  { wanted, kind }: { wanted: MatchableItem; kind: TitleKind },
  idName: keyof ExternalIds,
): WantedTitle[] {
  const { type, name, year, localOriginalTitle, storedIds } = wanted
  const knownId = storedTitleKind(wanted) === kind ? storedIds[idName] : undefined
  if (type === 'video') {
    const parsed = parseMovieName(`${name}.mkv`)
    const known = year ?? parsed.year
    return known === null ? [] : [{ title: parsed.title, year: known, knownId }]
  }
  const titles = new Set([name, ...(localOriginalTitle === null ? [] : [localOriginalTitle])])
  return [...titles].map((title) => ({ title, year, knownId }))
}
