import { setProviderArtwork, type ArtworkKind } from '../artwork/index.ts'
import { sortTitle } from '../naming/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Facts } from './facts.ts'
import { clearPreviousMatch } from './clear-previous-match.ts'
import { lockItem, updateFacts, type FactsWrite } from './queries/items.ts'
import { deleteMiss } from './queries/misses.ts'
import { selectWithChosenPoster } from './queries/posters.ts'
import type { Resolution, RowFacts } from './resolve-item.ts'

/**
 * Writes what was found out about an item and stamps it, its seasons and episodes; what tags and NFO files say is not touched, and beats it
 * wherever both are read. Within a transaction. An item that went away meanwhile is left at that.
 */
export async function writeResolution(
  connection: Connection,
  { resolution, now }: { resolution: Resolution; now: Date },
): Promise<void> {
  const { item, rows } = resolution
  if (rows.length === 0 || !(await lockItem(connection, item.id))) return
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

/** A season keeps its number as what it is sorted by, whatever it is called. */
function toWrite({ itemId, facts, isSeason }: RowFacts): FactsWrite {
  const { name, year, metadata } = facts
  return { id: itemId, name, sortTitle: isSeason || name === null ? null : sortTitle(name), year, metadata }
}

function toPictures({ itemId, facts }: RowFacts) {
  const pictures = Object.entries(facts.artwork satisfies Facts['artwork']) as [ArtworkKind, string | null][]
  return pictures.map(([kind, url]) => ({ itemId, kind, url }))
}
