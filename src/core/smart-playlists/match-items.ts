import { StatementTimeoutError } from 'slonik'
import type { Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { getSmartPlaylist } from './get-playlist.ts'
import { countMatches, selectMatches } from './queries/matches.ts'
import { readSelection, type SelectionInput } from './read-selection.ts'
import type { Selection } from './smart-playlist.ts'

/** More than anybody arranges, and what one process can hold of ids for many who ask at once. */
const MAX_MATCHES = 100_000

/** What a client can show of a try. */
const MAX_PREVIEWED = 1000

type Where = { libraryId: string; selection: Selection }

/**
 * The ids of the items that a selection chooses now, in its order; at most 100,000.
 * @throws AppError `rules_too_slow`
 */
export async function matchItems(
  { db }: { db: Connection },
  { libraryId, selection }: Where,
): Promise<readonly string[]> {
  const limit = mostOf(selection)
  return inTime(selectMatches(db, { libraryId, selection: { ...selection, limit } }))
}

/**
 * What a smart playlist would choose now, with rules, limit and order of the request where it names some (document 2, Smart playlists).
 * @returns `matchedCount` is how many there are within the limit, `itemIds` the first 1,000 of them
 * @throws AppError `smart_playlist_not_found`, `invalid_rules`, `invalid_request`, `rules_too_slow`
 */
export async function previewSmartPlaylist(
  { db }: { db: Connection },
  { id, input }: { id: string; input: SelectionInput },
): Promise<{ playlistId: string; matchedCount: number; itemIds: readonly string[] }> {
  const { id: playlistId, libraryId, ...before } = await getSmartPlaylist({ db }, id)
  const selection = readSelection(input, before)
  const most = mostOf(selection)
  const limit = Math.min(most, MAX_PREVIEWED)
  const itemIds = await inTime(selectMatches(db, { libraryId, selection: { ...selection, limit } }))
  // Only when there may be more does counting look at every item once again.
  const isAll = itemIds.length < limit || limit === most
  const { rules } = selection
  const matchedCount = isAll ? itemIds.length : await inTime(countMatches(db, { libraryId, rules, atMost: most }))
  return { playlistId, matchedCount, itemIds }
}

function mostOf({ limit }: Selection): number {
  return limit === 0 ? MAX_MATCHES : Math.min(limit, MAX_MATCHES)
}

/** Gives a statement that ran out of time the word for it. */
async function inTime<Found>(asked: Promise<Found>): Promise<Found> {
  try {
    return await asked
  } catch (error) {
    const isTooSlow = [error, error instanceof Error ? error.cause : null].some(
      (one) => one instanceof StatementTimeoutError,
    )
    throw isTooSlow ? smartPlaylistErrors.rules_too_slow({ cause: error }) : error
  }
}
