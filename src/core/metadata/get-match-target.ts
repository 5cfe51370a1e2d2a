import { catalogueErrors, getItem, type MediaItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { TitleKind } from './provider-facts.ts'
import { itemTitleKind, type MatchableItem } from './matchable-item.ts'
import { findMatchable } from './queries/items.ts'

/** An item to match, and the item that is looked up for it: for an episode its series. */
export type MatchTarget = { item: MediaItem; matchable: MatchableItem | undefined }

/** @throws AppError `media_item_not_found` */
export async function getMatchTarget({ db }: { db: Connection }, itemId: string): Promise<MatchTarget> {
  const item = await getItem({ db }, itemId).catch((error: unknown) => {
    const { code } = catalogueErrors.media_item_not_found.definition
    if ((error as { code?: unknown }).code !== code) throw error
    throw catalogueErrors.media_item_not_found({ title: 'Item not found' })
  })
  return { item, matchable: await findMatchable(db, item.id) }
}

/** Accepts `tv` and `movie` from clients; any other value selects the kind of the item. */
export function resolveTitleKind(type: string | undefined, matchable: MatchableItem | undefined): TitleKind {
  if (type === 'movie') return 'movie'
  if (type === 'tv' || type === 'series') return 'tv'
  return matchable === undefined ? 'movie' : itemTitleKind(matchable)
}
