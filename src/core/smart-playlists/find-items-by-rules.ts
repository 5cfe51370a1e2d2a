import { StatementTimeoutError } from 'slonik'
import type { Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { getSmartPlaylist } from './load-playlists.ts'
import { countMatchingItems, selectMatchingItemIds } from './queries/matches.ts'
import { parseSelection, type SelectionInput } from './parse-selection.ts'
import type { ItemSelectionRules } from './smart-playlist.ts'

/** Larger than any useful playlist, and bounded by the memory for ids of many concurrent requests. */
const MAX_MATCHES = 100_000

/** The number of ids in a preview. */
const MAX_PREVIEWED = 1000

type SelectionQuery = { libraryId: string; selection: ItemSelectionRules }

/**
 * The ids of the items that a selection matches now, in its order; at most 100,000.
 * @throws AppError `rules_too_slow`
 */
export async function findItemsByRules(
  { db }: { db: Connection },
  { libraryId, selection }: SelectionQuery,
): Promise<readonly string[]> {
  const limit = mostOf(selection)
  return withTimeoutError(selectMatchingItemIds(db, { libraryId, selection: { ...selection, limit } }))
}

/**
 * Evaluates a smart playlist now. Rules, limit and order of the request replace the stored values.
 * @returns `matchedCount` is the number of matches within the limit, `itemIds` the first 1,000 of them
 * @throws AppError `smart_playlist_not_found`, `invalid_rules`, `invalid_request`, `rules_too_slow`
 */
export async function previewSmartPlaylist(
  { db }: { db: Connection },
  { id, input }: { id: string; input: SelectionInput },
): Promise<{ playlistId: string; matchedCount: number; itemIds: readonly string[] }> {
  const { id: playlistId, libraryId, ...before } = await getSmartPlaylist({ db }, id)
  const selection = parseSelection(input, before)
  const most = mostOf(selection)
  const limit = Math.min(most, MAX_PREVIEWED)
  const itemIds = await withTimeoutError(selectMatchingItemIds(db, { libraryId, selection: { ...selection, limit } }))
  // Counting reads every item once more, so it only runs if there may be more results.
  const isAll = itemIds.length < limit || limit === most
  const { rules } = selection
  const matchedCount = isAll
    ? itemIds.length
    : await withTimeoutError(countMatchingItems(db, { libraryId, rules, atMost: most }))
  return { playlistId, matchedCount, itemIds }
}

function mostOf({ limit }: ItemSelectionRules): number {
  return limit === 0 ? MAX_MATCHES : Math.min(limit, MAX_MATCHES)
}

/** Maps a statement timeout to `rules_too_slow`. */
async function withTimeoutError<Found>(asked: Promise<Found>): Promise<Found> {
  try {
    return await asked
  } catch (error) {
    const isTooSlow = [error, error instanceof Error ? error.cause : null].some(
      (one) => one instanceof StatementTimeoutError,
    )
    throw isTooSlow ? smartPlaylistErrors.rules_too_slow({ cause: error }) : error
  }
}
