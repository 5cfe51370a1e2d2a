import { checkOwner, type Account } from '../accounts/index.ts'
import { checkPage, type PageRequest } from '../catalogue/index.ts'
import { isId, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { lockPlaylist, selectPlaylist, selectPlaylistIds, selectPlaylistText } from './queries/playlists.ts'
import type { SmartPlaylist, SmartPlaylistText } from './smart-playlist.ts'

/** The account that requests a change. */
export type Changer = Pick<Account, 'id' | 'isAdmin'>

/**
 * A page of smart playlists by name, one at a time: each may have rules of 64 KiB, and the whole page is never in memory. The rules stay
 * text, because a reader of a list passes them on unchanged.
 * @param page at most 100 playlists, default 50
 */
export async function* readSmartPlaylists(
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
