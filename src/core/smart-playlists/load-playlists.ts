import { checkOwner, type Account } from '../accounts/index.ts'
import { checkPage, type PageRequest } from '../catalogue/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { lockPlaylist, selectPlaylist, selectPlaylistIds, selectPlaylistText } from './queries/playlists.ts'
import type { SmartPlaylist, SmartPlaylistText } from './smart-playlist.ts'

/** The account that requests a change. */
export type PlaylistEditor = Pick<Account, 'id' | 'isAdmin'>

/**
 * Yields one page of smart playlists, ordered by name. They are loaded one at a time, because the rules of each may take 64 KiB. The rules
 * are not parsed, because the caller sends them on unchanged.
 * @param page at most 100 playlists, default 50
 */
export async function* streamPlaylistPage(
  { db }: { db: Connection },
  page: PageRequest,
): AsyncGenerator<SmartPlaylistText> {
  for (const id of await selectPlaylistIds(db, checkPage(page))) {
    const playlist = await selectPlaylistText(db, id)
    // The playlist may have been deleted since.
    if (playlist !== undefined) yield playlist
  }
}

/** All smart playlists, by name. */
export async function listSmartPlaylists({ db }: { db: Connection }): Promise<readonly SmartPlaylist[]> {
  const all: SmartPlaylist[] = []
  for (const id of await selectPlaylistIds(db, { limit: null, offset: 0 })) {
    const playlist = await selectPlaylist(db, id)
    if (playlist !== undefined) all.push(playlist)
  }
  return all
}

/** @throws AppError `smart_playlist_not_found`; an id that is not a UUID is refused without a query */
export async function getSmartPlaylist({ db }: { db: Connection }, id: string): Promise<SmartPlaylist> {
  const playlist = isRowId(id) ? await selectPlaylist(db, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  return playlist
}

/**
 * A smart playlist to change, locked until the transaction ends.
 * @throws AppError `smart_playlist_not_found`, `not_owner`
 */
export async function lockEditablePlaylist(connection: Connection, { id, by }: { id: string; by: PlaylistEditor }) {
  const playlist = isRowId(id) ? await lockPlaylist(connection, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  checkOwner(playlist, by, smartPlaylistErrors.not_owner)
  return playlist
}
