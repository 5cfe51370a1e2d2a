import { parseEpisodePath, parseMovieName } from '../naming/index.ts'
import type { ExternalIds, TitleKind } from './facts.ts'

/** Row types that matching visits; seasons and episodes come with their series (document 1, job semantics 5). */
export const MATCHABLE_TYPES = ['movie', 'video', 'series'] as const

/** An item as matching sees it. */
export type MatchableItem = {
  id: string
  type: (typeof MATCHABLE_TYPES)[number]
  name: string
  year: number | null
  /** Of a series: of one of its episodes. */
  path: string | null
  /** What a provider said, or a name before there was one. */
  storedIds: ExternalIds
  /** What the match said that these number; null: nobody has said it. */
  storedKind: TitleKind | null
  /** What an NFO says. */
  localIds: ExternalIds
  localOriginalTitle: string | null
  refreshedAt: Date | null
  /** Over what it is looked for by: another one is another question. */
  questionHash: Buffer
}

export function kindOf({ type }: Pick<MatchableItem, 'type'>): TitleKind {
  return type === 'series' ? 'tv' : 'movie'
}

/** What the stored ids number: a film may be matched with what is a series to the provider, and the other way round. */
export function storedKindOf(item: Pick<MatchableItem, 'type' | 'storedKind'>): TitleKind {
  return item.storedKind ?? kindOf(item)
}

/** Ids, and what they number: of films and of series each number is given once. */
export type Numbers = { kind: TitleKind; ids: ExternalIds }

/** Ids that an item is looked up by. Those that people wrote down number what the item is; never are both kinds mixed. */
export function numbersOf(item: MatchableItem, written: ExternalIds): Numbers {
  const kind = storedKindOf(item)
  if (kind === kindOf(item)) return { kind, ids: { ...item.storedIds, ...written } }
  return written.tmdb === undefined ? { kind, ids: item.storedIds } : { kind: kindOf(item), ids: written }
}

/** Ids that people wrote down: in an NFO, or in the names of file and folders. They win over any search. */
export function writtenIds({ type, path, localIds }: MatchableItem, roots: readonly { path: string }[]): ExternalIds {
  return { ...idsInPath(type, path, roots), ...localIds }
}

function idsInPath(type: MatchableItem['type'], path: string | null, roots: readonly { path: string }[]): ExternalIds {
  const root = roots.find((one) => path?.startsWith(`${one.path}/`) === true)
  if (path === null || root === undefined) return {}
  const inside = path.slice(root.path.length + 1)
  return type === 'series' ? parseEpisodePath(inside).providerIds : parseMovieName(inside).providerIds
}
