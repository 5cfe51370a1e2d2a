import type { Connection } from '../platform/database/index.ts'
import type { MetadataProviders } from './create-providers.ts'
import type { ProviderFacts, SeasonFacts, TitleFacts } from './provider-facts.ts'
import { findTitle, type FoundTitle } from './find-title.ts'
import { providerLookupIds, storedTitleKind, userWrittenIds, type MatchableItem } from './matchable-item.ts'
import type { RequestOptions } from './provider.ts'
import { selectSeriesMembers } from './queries/series-members.ts'
import { memberFacts, providerSeasonNumbers, type SeriesMember } from './series-members.ts'

/** Values to write to one row. */
export type RowFacts = { itemId: string; facts: ProviderFacts; isSeason: boolean }

/**
 * How to treat the data of earlier matches. `kept`: it is kept, and new episodes are added. `refreshed`: the same title was requested
 * again, and the result replaces it. `other_title`: all of it is removed.
 */
export type EarlierMatch = 'kept' | 'refreshed' | 'other_title'

/** The provider's facts about an item and its descendants. */
export type ItemResolution = {
  item: MatchableItem
  /** The item first; empty if the title is uncertain. */
  rows: RowFacts[]
  isMatched: boolean
  earlier: EarlierMatch
}

export type ResolveServices = { db: Connection; providers: MetadataProviders }

export type ResolveInput = {
  item: MatchableItem
  /** The folders of the library: names below them may contain ids. */
  roots: readonly { path: string }[]
  /** Includes matched items. A series is then searched again, a film is looked up by its ids. */
  isForced: boolean
  /** The names of sources to ask first; `preferredSourceNames` reads them. */
  order: readonly string[]
}

/** Requests one item from the providers; writes nothing. Throws the provider errors (provider.ts). */
export async function resolveItem(
  services: ResolveServices,
  { item, roots, isForced, order }: ResolveInput,
  options: RequestOptions,
): Promise<ItemResolution> {
  const isKnown = item.refreshedAt !== null
  const written = userWrittenIds(item, roots)
  const isSearchedAgain = isKnown && isForced && item.type === 'series'
  const { kind, ids: fallbackIds } = providerLookupIds(item, written)
  const ids = isSearchedAgain ? written : fallbackIds
  const title = await findTitle(services.providers, { wanted: item, kind, ids, fallbackIds, order }, options)
  if (title === undefined) return { item, rows: [], isMatched: false, earlier: 'kept' }
  const earlier = isOther(item, title) ? 'other_title' : 'refreshed'
  return resolveTitle(services.db, { item, title, earlier: isForced ? earlier : 'kept' }, options)
}

/** Whether an item is now matched with another id of the provider. A provider without an earlier id does not count. */
function isOther(item: MatchableItem, { provider, facts }: FoundTitle): boolean {
  const last = item.storedIds[provider.idName]
  return last !== undefined && (last !== facts.id || storedTitleKind(item) !== facts.kind)
}

/**
 * Reads the rows of a known title: of a series the seasons that the catalogue has, one request each.
 * @param input.earlier with `kept`, of a matched series only the new episodes are read
 */
export async function resolveTitle(
  db: Connection,
  { item, title, earlier }: { item: MatchableItem; title: FoundTitle; earlier: EarlierMatch },
  options: RequestOptions,
): Promise<ItemResolution> {
  const isForced = earlier !== 'kept'
  const isOwnWanted = isForced || item.refreshedAt === null
  const own = { itemId: item.id, facts: withKind(title.facts), isSeason: false }
  const rows: RowFacts[] = isOwnWanted ? [own] : []
  if (item.type === 'series' && title.facts.kind === 'tv') {
    const members = await selectSeriesMembers(db, item.id)
    const wanted = isForced ? members : members.filter(({ refreshedAt }) => refreshedAt === null)
    rows.push(...(await readMembers(title, wanted, options)))
  }
  return { item, rows, isMatched: true, earlier }
}

/** Adds the kind: an id of a provider is only usable together with its kind. */
function withKind(facts: TitleFacts): ProviderFacts {
  return { ...facts, metadata: { ...facts.metadata, title_kind: facts.kind } }
}

async function readMembers(
  title: FoundTitle,
  members: readonly SeriesMember[],
  options: RequestOptions,
): Promise<RowFacts[]> {
  const rows: RowFacts[] = []
  for (const [number, some] of Map.groupBy(members, ({ seasonNumber }) => seasonNumber)) {
    if (number === null) continue
    const seasons = await readSeasons(title, number, options)
    for (const member of some) {
      const facts = memberFacts(member, seasons)
      if (facts !== undefined) rows.push({ itemId: member.id, facts, isSeason: member.type === 'season' })
    }
  }
  return rows
}

async function readSeasons(
  { provider, facts }: FoundTitle,
  number: number,
  options: RequestOptions,
): Promise<SeasonFacts[]> {
  const seasons: SeasonFacts[] = []
  for (const wanted of providerSeasonNumbers(number, facts.seasons)) {
    const season = await provider.readSeason({ seriesId: facts.id, number: wanted }, options)
    if (season !== undefined) seasons.push(season)
  }
  return seasons
}
