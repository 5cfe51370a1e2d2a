import { z } from 'zod'
import { checkPage, type Page, type PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { parsePhotoAlbumDate } from './photo-album-id.ts'
import { requirePhotoLibrary } from './require-photo-library.ts'
import { photoErrors } from './errors.ts'
import type { Photo, PhotoAlbum, PhotoDetail } from './photo.ts'
import { countPhotos, selectPhotoAlbums, selectPhoto, selectPhotos } from './queries/read.ts'

type Request = { libraryId?: string | undefined }

/**
 * A day rarely has more than a few hundred photos. A camera with a broken clock can put all its pictures on one day, which must not
 * exhaust the heap.
 */
const MAX_OF_ALBUM = 5000

const Id = z.guid()

/**
 * The days that have photos, the newest first.
 * @throws AppError `invalid_request`
 */
export async function listPhotoAlbums(
  { db }: { db: Connection },
  { libraryId, ...request }: PageRequest & Request,
): Promise<Page & { albums: PhotoAlbum[] }> {
  const page = checkPage(request)
  return { albums: await selectPhotoAlbums(db, { libraryId: requirePhotoLibrary(libraryId), ...page }), ...page }
}

/**
 * The photos of a day by time, at most 5,000, and their total number.
 * @param input.id as in lists, or the bare day
 * @throws AppError `photo_album_not_found` for a day without photos, `invalid_request`
 */
export async function getPhotoAlbum(
  { db }: { db: Connection },
  { id, libraryId }: Request & { id: string },
): Promise<{ date: string; photoCount: number; photos: Photo[] }> {
  const filter = { libraryId: requirePhotoLibrary(libraryId), date: parsePhotoAlbumDate(id) }
  const photos = await selectPhotos(db, { ...filter, limit: MAX_OF_ALBUM, offset: 0 })
  if (photos.length === 0) throw photoErrors.photo_album_not_found()
  const photoCount = photos.length < MAX_OF_ALBUM ? photos.length : await countPhotos(db, filter)
  return { date: filter.date, photoCount, photos }
}

/**
 * A page of photos: the photos of a day ordered by time, or all photos, the newest first.
 * @throws AppError `photo_album_not_found` for an id that is not a day, `invalid_request`
 */
export async function listPhotos(
  { db }: { db: Connection },
  { libraryId, albumId, ...request }: PageRequest & Request & { albumId?: string | undefined },
): Promise<Page & { photos: Photo[] }> {
  const page = checkPage(request)
  const date = albumId === undefined ? undefined : parsePhotoAlbumDate(albumId)
  return { photos: await selectPhotos(db, { libraryId: requirePhotoLibrary(libraryId), date, ...page }), ...page }
}

/**
 * Reads a photo with its camera data, including photos that are not listed, for example the raw file beside a developed picture.
 * @throws AppError `photo_not_found`
 */
export async function getPhoto({ db }: { db: Connection }, id: string): Promise<PhotoDetail> {
  const photo = Id.safeParse(id).success ? await selectPhoto(db, id) : undefined
  if (photo === undefined) throw photoErrors.photo_not_found()
  return photo
}

/**
 * The photos of a day by time. Without an id, the photos of the newest day; the day is null if there are no photos at all.
 * @throws AppError `photo_album_not_found`, `invalid_request`
 */
export async function getSlideshow(
  services: { db: Connection },
  { albumId, libraryId }: Request & { albumId?: string | undefined },
): Promise<{ date: string | null; photos: Photo[] }> {
  if (albumId !== undefined) return getPhotoAlbum(services, { id: albumId, libraryId })
  const [newest] = (await listPhotoAlbums(services, { libraryId, limit: 1 })).albums
  return newest === undefined ? { date: null, photos: [] } : getPhotoAlbum(services, { id: newest.date, libraryId })
}
