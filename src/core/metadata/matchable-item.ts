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
