import { StatementTimeoutError } from 'slonik'
import { findItems, type MediaItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { getSmartPlaylist } from './get-playlist.ts'
import { selectMatches } from './queries/matches.ts'
import { readSelection, type SelectionInput } from './read-selection.ts'
import type { Selection } from './smart-playlist.ts'

/** More than anybody arranges, and what one process can hold of ids for many who ask at once. */
const MOST_MATCHES = 100_000

/** What a client can show of a try. */
const MOST_PREVIEWED = 1000

/**
 * The ids of the items that a selection chooses now, in its order; at most 100,000.
 * @throws AppError `rules_too_slow`
 */
export async function matchItems(
  { db }: { db: Connection },
  { libraryId, selection }: { libraryId: string; selection: Selection },
): Promise<readonly string[]> {
  const limit = selection.limit === 0 ? MOST_MATCHES : Math.min(selection.limit, MOST_MATCHES)
  try {
    return await selectMatches(db, { libraryId, selection: { ...selection, limit } })
  } catch (error) {
    const isTooSlow = [error, error instanceof Error ? error.cause : null].some(
      (one) => one instanceof StatementTimeoutError,
    )
    throw isTooSlow ? smartPlaylistErrors.rules_too_slow({ cause: error }) : error
  }
}

/**
 * What a smart playlist would choose now, with rules, limit and order of the request where it names some (document 2, Smart playlists).
 * @returns `matchedCount` is how many there are within the limit, `items` the first 1,000 of them
 * @throws AppError `smart_playlist_not_found`, `invalid_rules`, `invalid_request`, `rules_too_slow`
 */
export async function previewSmartPlaylist(
  { db }: { db: Connection },
  { id, input }: { id: string; input: SelectionInput },
): Promise<{ playlistId: string; matchedCount: number; items: MediaItem[] }> {
  const playlist = await getSmartPlaylist({ db }, id)
  const selection = readSelection(input, playlist)
  const itemIds = await matchItems({ db }, { libraryId: playlist.libraryId, selection })
  const items = await findItems({ db }, itemIds.slice(0, MOST_PREVIEWED))
  return { playlistId: playlist.id, matchedCount: itemIds.length, items }
}
