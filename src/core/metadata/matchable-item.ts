import { parseEpisodePath, parseMovieName } from '../naming/index.ts'
import type { ExternalIds, TitleKind } from './facts.ts'

/** Row types that matching visits; seasons and episodes are matched with their series. */
export const MATCHABLE_TYPES = ['movie', 'video', 'series'] as const

/** An item with the fields that matching needs. */
export type MatchableItem = {
  id: string
  type: (typeof MATCHABLE_TYPES)[number]
  name: string
  year: number | null
  /** Of a series: the path of one of its episodes. */
  path: string | null
  /** Ids from a provider, or from a name if there was no match yet. */
  storedIds: ExternalIds
  /** The kind of title that the stored ids belong to; null: unknown. */
  storedKind: TitleKind | null
  /** Ids of an NFO. */
  localIds: ExternalIds
  localOriginalTitle: string | null
  refreshedAt: Date | null
  /** Hash of the search terms of the item. A change makes it a new search. */
  questionHash: Buffer
}

export function kindOf({ type }: Pick<MatchableItem, 'type'>): TitleKind {
  return type === 'series' ? 'tv' : 'movie'
}

/** The kind that the stored ids belong to. A film may be matched with a title that is a series at the provider, and the reverse. */
export function storedKindOf(item: Pick<MatchableItem, 'type' | 'storedKind'>): TitleKind {
  return item.storedKind ?? kindOf(item)
}

/** Ids with their kind. Providers number films and series separately, so each number exists twice. */
export type Numbers = { kind: TitleKind; ids: ExternalIds }

/** The ids for the lookup of an item. Ids written by people belong to the kind of the item. Ids of both kinds are never mixed. */
export function numbersOf(item: MatchableItem, written: ExternalIds): Numbers {
  const kind = storedKindOf(item)
  if (kind === kindOf(item)) return { kind, ids: { ...item.storedIds, ...written } }
  return written.tmdb === undefined ? { kind, ids: item.storedIds } : { kind: kindOf(item), ids: written }
}

/** Ids written by people: in an NFO, or in the names of file and folders. They have priority over any search. */
export function writtenIds({ type, path, localIds }: MatchableItem, roots: readonly { path: string }[]): ExternalIds {
  return { ...idsInPath(type, path, roots), ...localIds }
}

function idsInPath(type: MatchableItem['type'], path: string | null, roots: readonly { path: string }[]): ExternalIds {
  const root = roots.find((one) => path?.startsWith(`${one.path}/`) === true)
  if (path === null || root === undefined) return {}
  const inside = path.slice(root.path.length + 1)
  return type === 'series' ? parseEpisodePath(inside).providerIds : parseMovieName(inside).providerIds
}
