import type { Page, PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Album } from './album.ts'
import { musicErrors } from './errors.ts'
import { checkMusicPage, checkMusicName, MAX_EMBEDDED, isUnstorableName, trimmedOrNull } from './music-page.ts'
import { countAlbums, findAlbum, selectAlbumIds, selectAlbums, selectAlbumsNamed } from './queries/albums.ts'

/** `artist`: exact name, ignoring case and surrounding spaces; a blank text is no filter. */
export type AlbumFilter = PageRequest & { artist?: string | undefined }

/** A page of the albums by title, each with its first 100 tracks. `total` counts the albums that match the `artist` filter. */
export async function listAlbums(
  { db }: { db: Connection },
  filter: AlbumFilter,
): Promise<Page & { albums: Album[]; total: number; artist: string | null }> {
  const page = checkMusicPage(filter)
  const artist = trimmedOrNull(filter.artist)
  if (artist !== null && isUnstorableName(artist)) return { albums: [], total: 0, artist, ...page }
  const total = await countAlbums(db, artist)
  const ids = page.offset < total ? await selectAlbumIds(db, { artist, ...page }) : []
  return { albums: await selectAlbums(db, { ids, tracks: MAX_EMBEDDED.inLists }), total, artist, ...page }
}

/**
 * The album with exactly this title, ignoring case, with the first 2,000 tracks. Among several the first by artist name.
 * @throws AppError `invalid_request` for an empty title, `album_not_found`
 */
export async function getAlbum(
  { db }: { db: Connection },
  { title, ...filter }: { title: string; artist?: string | undefined },
): Promise<Album> {
  checkMusicName(title, 'title')
  const artist = trimmedOrNull(filter.artist)
  const id = isUnstorableName(title + (artist ?? '')) ? undefined : await findAlbum(db, { title, artist })
  const [album] = id === undefined ? [] : await selectAlbums(db, { ids: [id], tracks: MAX_EMBEDDED.inDetail })
  if (album === undefined) throw musicErrors.album_not_found()
  return album
}

const MAX_NAMED = 20

/** The albums that a text names, ignoring case: by title, or as `artist/title`. At most 20. */
export async function findAlbumsNamed(
  { db }: { db: Connection },
  name: string,
): Promise<readonly Pick<Album & { title: string }, 'id' | 'title' | 'artist'>[]> {
  return isUnstorableName(name) ? [] : selectAlbumsNamed(db, { name, limit: MAX_NAMED })
}
