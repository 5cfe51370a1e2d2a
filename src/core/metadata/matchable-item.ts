import { parseEpisodePath, parseMovieName } from '../naming/index.ts'
import type { ExternalIds, TitleKind } from './provider-facts.ts'

/** Item types that are matched; seasons and episodes are matched with their series. */
export const MATCHABLE_TYPES = ['movie', 'video', 'series'] as const

/** An item with the fields that matching needs. */
export type MatchableItem = {
  id: string
  type: (typeof MATCHABLE_TYPES)[number]
  name: string
  year: number | null
  /** Path of the file; for a series, the path of one of its episodes. */
  path: string | null
  /** Ids from the last match; before the first match, ids from the file name. */
  storedIds: ExternalIds
  /** The kind of title that the stored ids belong to; null: unknown. */
  storedKind: TitleKind | null
  /** Ids from the NFO file. */
  localIds: ExternalIds
  localOriginalTitle: string | null
  refreshedAt: Date | null
  /** Hash of the search terms of the item. If it changes, the item is searched again. */
  questionHash: Buffer
}

export function itemTitleKind({ type }: Pick<MatchableItem, 'type'>): TitleKind {
  return type === 'series' ? 'tv' : 'movie'
}

/** The kind that the stored ids belong to. A film may be matched with a title that is a series at the provider, and the reverse. */
export function storedTitleKind(item: Pick<MatchableItem, 'type' | 'storedKind'>): TitleKind {
  return item.storedKind ?? itemTitleKind(item)
}

/** Ids with their kind. Providers number films and series separately, so the same number can mean a film or a series. */
export type ProviderTitleIds = { kind: TitleKind; ids: ExternalIds }

/** The ids for the lookup of an item. Ids that users set have the kind of the item. Film ids and series ids are never combined. */
export function providerLookupIds(item: MatchableItem, written: ExternalIds): ProviderTitleIds {
  const kind = storedTitleKind(item)
  if (kind === itemTitleKind(item)) return { kind, ids: { ...item.storedIds, ...written } }
  return written.tmdb === undefined ? { kind, ids: item.storedIds } : { kind: itemTitleKind(item), ids: written }
}

/** Ids written by people: in an NFO, or in the names of file and folders. They have priority over any search. */
export function userWrittenIds(
  { type, path, localIds }: MatchableItem,
  roots: readonly { path: string }[],
): ExternalIds {
  return { ...idsInPath(type, path, roots), ...localIds }
}

function idsInPath(type: MatchableItem['type'], path: string | null, roots: readonly { path: string }[]): ExternalIds {
  const root = roots.find((one) => path?.startsWith(`${one.path}/`) === true)
  if (path === null || root === undefined) return {}
  const inside = path.slice(root.path.length + 1)
  return type === 'series' ? parseEpisodePath(inside).providerIds : parseMovieName(inside).providerIds
}
