import { parseEpisodePath } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { PICTURE_KEYS, PROVIDER_KEYS } from './metadata-keys.ts'
import {
  clearProviderFacts,
  clearMetadataKeys,
  countClearable,
  selectClearable,
  type ClearableItem,
} from './queries/clearing.ts'

export type ItemToClear = ClearableItem

/** The number of items of a library after this one, by id; null: all. */
export async function countItemsToClear(
  connection: Connection,
  place: { libraryId: string; after: string | null },
): Promise<number> {
  return countClearable(connection, place)
}

/** A page of the items of a library, by id. */
export async function listItemsToClear(
  connection: Connection,
  page: { libraryId: string; after: string | null; limit: number },
): Promise<ClearableItem[]> {
  return selectClearable(connection, page)
}

/**
 * Removes the data of providers from items: the keys of metadata-keys.ts, the time of the refresh, and names. The items then have the
 * names of their files again. Within a transaction.
 * @param input.keepsChosenPosters whether posters chosen by people stay
 */
export async function clearItems(
  connection: Connection,
  {
    items,
    keepsChosenPosters = false,
    now,
  }: { items: readonly ClearableItem[]; keepsChosenPosters?: boolean; now: Date },
): Promise<void> {
  await clearProviderFacts(connection, {
    items: items.map((item) => ({ id: item.id, keptAirDate: ownAirDate(item) })),
    keys: PROVIDER_KEYS,
    keepsChosenPosters,
    now,
  })
}

/** Removes the picture addresses that providers and people have set on items; all other data stays. Within a transaction. */
export async function clearPictureFacts(
  connection: Connection,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  await clearMetadataKeys(connection, { ids, keys: PICTURE_KEYS, now })
}

/** The date of a daily show is part of the file name. It does not come from a provider. */
function ownAirDate({ path, airDate }: ClearableItem): string | null {
  return path !== null && airDate !== null && parseEpisodePath(path).airDate === airDate ? airDate : null
}
