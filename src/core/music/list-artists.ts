import type { Page, PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Artist } from './artist.ts'
import { musicErrors } from './errors.ts'
import { checkMusicPage, checkMusicName, MAX_EMBEDDED, isUnstorableName } from './music-page.ts'
import { countArtists, selectArtistNamed, selectArtists } from './queries/artists.ts'

/** A page of the artists by name, each with its first 100 albums, and the total number of artists. */
export async function listArtists(
  { db }: { db: Connection },
  request: PageRequest,
): Promise<Page & { artists: Artist[]; total: number }> {
  const page = checkMusicPage(request)
  const total = await countArtists(db)
  const artists = page.offset < total ? await selectArtists(db, { ...page, albums: MAX_EMBEDDED.inLists }) : []
  return { artists, total, ...page }
}

/**
 * The artist with exactly this name, ignoring case, with the first 2,000 albums.
 * @throws AppError `invalid_request` for an empty name, `artist_not_found`
 */
export async function getArtist({ db }: { db: Connection }, name: string): Promise<Artist> {
  checkMusicName(name, 'name')
  const artist = isUnstorableName(name)
    ? undefined
    : await selectArtistNamed(db, { name, albums: MAX_EMBEDDED.inDetail })
  if (artist === undefined) throw musicErrors.artist_not_found()
  return artist
}
