import type { Account } from '../accounts/index.ts'
import { isId, type Connection } from '../platform/database/index.ts'
import { smartPlaylistErrors } from './errors.ts'
import { lockPlaylist, selectPlaylist, selectPlaylists } from './queries/playlists.ts'
import { checkOwner, type SmartPlaylist } from './smart-playlist.ts'

/** Who asks for a change. */
export type Changer = Pick<Account, 'id' | 'isAdmin'>

/** All smart playlists, by name. */
export async function listSmartPlaylists({ db }: { db: Connection }): Promise<readonly SmartPlaylist[]> {
  return selectPlaylists(db)
}

/** @throws AppError `smart_playlist_not_found`; for an id that is no UUID without a query (decisions 3.3) */
export async function getSmartPlaylist({ db }: { db: Connection }, id: string): Promise<SmartPlaylist> {
  const playlist = isId(id) ? await selectPlaylist(db, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  return playlist
}

/**
 * One that is about to be changed, held until the transaction ends.
 * @throws AppError `smart_playlist_not_found`, `not_owner`
 */
export async function takeSmartPlaylist(connection: Connection, { id, by }: { id: string; by: Changer }) {
  const playlist = isId(id) ? await lockPlaylist(connection, id) : undefined
  if (playlist === undefined) throw smartPlaylistErrors.smart_playlist_not_found()
  checkOwner(playlist, by)
  return playlist
}
