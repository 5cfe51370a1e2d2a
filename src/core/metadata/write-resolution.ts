import { setProviderArtwork, type ArtworkKind } from '../artwork/index.ts'
import { sortTitle } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { ProviderFacts } from './provider-facts.ts'
import { clearPreviousMatch } from './clear-previous-match.ts'
import { lockMatchedItem, updateFacts, type FactsWrite } from './queries/items.ts'
import { deleteMiss } from './queries/misses.ts'
import { selectWithChosenPoster } from './queries/posters.ts'
import type { ItemResolution, RowFacts } from './resolve-item.ts'

/**
 * Writes the resolved facts of an item and the time of the refresh, and the facts of its seasons and episodes. Data from tags and NFO files
 * are not changed and have priority over the stored facts. To be called within a transaction. Does nothing if the item was deleted
 * meanwhile.
 */
export async function writeResolution(
  connection: Connection,
  { resolution, now }: { resolution: ItemResolution; now: Date },
): Promise<void> {
  const { item, rows } = resolution
  if (rows.length === 0 || !(await lockMatchedItem(connection, item.id))) return
  await clearPreviousMatch(connection, { resolution, now })
  const written = await updateFacts(connection, { writes: rows.map(toWrite), now })
  await deleteMiss(connection, item.id)
  const isThere = new Set(written)
  const isChosen = await selectWithChosenPoster(connection, written)
  const pictures = rows
    .filter(({ itemId }) => isThere.has(itemId))
    .flatMap(toPictures)
    .filter(({ itemId, kind }) => kind !== 'poster' || !isChosen.has(itemId))
  if (pictures.length > 0) await setProviderArtwork(connection, pictures)
}

/** A season keeps its number as its sort title, whatever its name. */
function toWrite({ itemId, facts, isSeason }: RowFacts): FactsWrite {
  const { name, year, metadata } = facts
  return { id: itemId, name, sortTitle: isSeason || name === null ? null : sortTitle(name), year, metadata }
}

function toPictures({ itemId, facts }: RowFacts) {
  const pictures = Object.entries(facts.artwork satisfies ProviderFacts['artwork']) as [ArtworkKind, string | null][]
  return pictures.map(([kind, url]) => ({ itemId, kind, url }))
}
