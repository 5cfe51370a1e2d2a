import { parseMovieName } from '../naming/index.ts'
import { chooseCandidate, chooseUncertain, isConfirmed, type WantedTitle } from './choose-candidate.ts'
import type { MetadataProviders } from './create-providers.ts'
import type { Candidate, ExternalIds, TitleFacts, TitleKind } from './facts.ts'
import { storedKindOf, type MatchableItem } from './matchable-item.ts'
import type { RequestOptions, SearchProvider, TitleProvider } from './provider.ts'

/** A title with the provider that has it, for requests of its seasons. */
export type FoundTitle = { provider: TitleProvider; facts: TitleFacts }

type Providers = Pick<MetadataProviders, 'tmdb' | 'tvdb'>

/**
 * The unambiguous title of an item: by its ids, without a search; else by title and year; else by an id that only TVDB has. Undefined if
 * the title is uncertain.
 * @param item.kind the kind to look for
 * @param item.ids ids that are trusted without a search
 * @param item.fallbackIds ids for TVDB, which cannot be searched
 */
export async function findTitle(
  { tmdb, tvdb }: Providers,
  item: { wanted: MatchableItem; kind: TitleKind; ids: ExternalIds; fallbackIds: ExternalIds },
  options: RequestOptions,
): Promise<FoundTitle | undefined> {
  const { wanted, kind, ids, fallbackIds } = item
  const facts =
    tmdb === undefined
      ? undefined
      : ((await byIds(tmdb, { kind, ids }, options)) ?? (await bySearch(tmdb, { wanted, kind }, options)))
  if (tmdb !== undefined && facts !== undefined) return { provider: tmdb, facts }
  const { tmdb: _, ...elsewhere } = fallbackIds
  const other = tvdb === undefined ? undefined : await byIds(tvdb, { kind, ids: elsewhere }, options)
  return tvdb === undefined || other === undefined ? undefined : { provider: tvdb, facts: other }
}

/** An id that the provider does not have (any more) does not end the lookup: the next one may be right. */
async function byIds(
  provider: TitleProvider,
  { kind, ids }: { kind: TitleKind; ids: ExternalIds },
  options: RequestOptions,
): Promise<TitleFacts | undefined> {
  const tried = new Set<string>()
  const { tmdb, ...elsewhere } = ids
  for (const some of [{ ...(tmdb !== undefined && { tmdb }) }, elsewhere]) {
    const id = await provider.findId({ kind, ids: some }, options)
    if (id === undefined || tried.has(id)) continue
    tried.add(id)
    const facts = await provider.readTitle({ kind, id }, options)
    if (facts !== undefined) return facts
  }
  return undefined
}

async function bySearch(
  tmdb: SearchProvider,
  item: { wanted: MatchableItem; kind: TitleKind },
  options: RequestOptions,
): Promise<TitleFacts | undefined> {
  const { kind } = item
  const titles = wantedTitles(item)
  let uncertain: { candidate: Candidate; wanted: WantedTitle } | undefined
  for (const wanted of titles) {
    // With the year first: a common name can have hundreds of films, and a search returns twenty.
    for (const year of wanted.year === null ? [undefined] : [wanted.year, undefined]) {
      const candidates = await tmdb.search({ kind, title: wanted.title, year }, options)
      const chosen = chooseCandidate(candidates, wanted)
      if (chosen !== undefined) return tmdb.readTitle({ kind, id: chosen.id }, options)
      const candidate = chooseUncertain(candidates, wanted)
      if (candidate !== undefined) uncertain ??= { candidate, wanted }
    }
  }
  if (uncertain === undefined) return undefined
  const facts = await tmdb.readTitle({ kind, id: uncertain.candidate.id }, options)
  return facts !== undefined && isConfirmed(facts.titles, facts.year, uncertain.wanted) ? facts : undefined
}

/**
 * The titles to search for. Most videos are no published films, so a video is searched only if its file name has a year. The original
 * title of an NFO is tried second.
 */
function wantedTitles({ wanted, kind }: { wanted: MatchableItem; kind: TitleKind }): WantedTitle[] {
  const { type, name, year, localOriginalTitle, storedIds } = wanted
  const knownId = storedKindOf(wanted) === kind ? storedIds.tmdb : undefined
  if (type === 'video') {
    const parsed = parseMovieName(`${name}.mkv`)
    const known = year ?? parsed.year
    return known === null ? [] : [{ title: parsed.title, year: known, knownId }]
  }
  const titles = new Set([name, ...(localOriginalTitle === null ? [] : [localOriginalTitle])])
  return [...titles].map((title) => ({ title, year, knownId }))
}
