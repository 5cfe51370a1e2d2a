import { checkOwner, type Account } from '../accounts/index.ts'
import { checkPage, type PageRequest } from '../catalogue/index.ts'
import { isId, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { lockPlaylist, selectPlaylist, selectPlaylistIds } from './queries/playlists.ts'
import type { SmartPlaylist } from './smart-playlist.ts'

/** The account that requests a change. */
export type Changer = Pick<Account, 'id' | 'isAdmin'>

/**
 * Smart playlists by name, one at a time: parsing rules of 64 KiB takes some milliseconds, and the whole list is never in memory.
 * @param page at most 100 playlists, default 50; without a page all of them
 */
export async function* readSmartPlaylists(
  { db }: { db: Connection },
  page?: PageRequest,
): AsyncGenerator<SmartPlaylist> {
  const ids = await selectPlaylistIds(db, page === undefined ? { limit: null, offset: 0 } : checkPage(page))
  for (const id of ids) {
    const playlist = await selectPlaylist(db, id)
    // The playlist may have been deleted since.
    if (playlist !== undefined) yield playlist
  }
}

/** All smart playlists, by name. */
export async function listSmartPlaylists(services: { db: Connection }): Promise<readonly SmartPlaylist[]> {
  const all: SmartPlaylist[] = []
  for await (const playlist of readSmartPlaylists(services)) all.push(playlist)
  return all
}

/** @throws AppError `smart_playlist_not_found`; an id that is not a UUID is refused without a query */
export async function getSmartPlaylist({ db }: { db: Connection }, id: string): Promise<SmartPlaylist> {
  const playlist = isId(id) ? await selectPlaylist(db, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  return playlist
}

/**
 * A smart playlist to change, locked until the transaction ends.
 * @throws AppError `smart_playlist_not_found`, `not_owner`
 */
export async function lockEditablePlaylist(connection: Connection, { id, by }: { id: string; by: Changer }) {
  const playlist = isId(id) ? await lockPlaylist(connection, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  checkOwner(playlist, by, smartPlaylistErrors.not_owner)
  return playlist
}
