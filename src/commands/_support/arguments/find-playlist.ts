import * as Args from '@oclif/core/args'
import type { CoreServices } from '../../../core/core-services.ts'
import type { SmartPlaylist } from '../../../core/smart-playlists/index.ts'
import { findNamed } from './find-named.ts'

/** Argument that identifies a smart playlist. */
export const playlistArgument = Args.string({
  ignoreStdin: true,
  required: true,
  description: 'id, or name if only one smart playlist has it',
})

/**
 * Finds a smart playlist by id or by exact name.
 * @throws AppError `smart_playlist_not_found`, `usage` when several have the name
 */
export async function findPlaylist(services: Pick<CoreServices, 'db'>, idOrName: string): Promise<SmartPlaylist> {
  const { listSmartPlaylists, smartPlaylistErrors } = await import('../../../core/smart-playlists/index.ts')
  const playlist = findNamed(await listSmartPlaylists(services), { idOrName, kind: 'smart playlists' })
  if (playlist !== undefined) return playlist
  throw smartPlaylistErrors.smart_playlist_not_found({
    message: 'No smart playlist has this id or name',
    hint: 'phlix playlist:list',
  })
}
