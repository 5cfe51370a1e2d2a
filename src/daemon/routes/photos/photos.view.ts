import {
  photoAlbumId,
  type MonthPage,
  type Photo,
  type PhotoAlbum,
  type PhotoDetail,
  type PhotoMonth,
} from '../../../core/photos/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import type { FormatPath } from '../../http/path-formatter.ts'

type PageKeys = { limit: number; offset: number }

/** Names of the values of EXIF tag 274 (orientation). */
const ORIENTATIONS = [
  'Horizontal (normal)',
  'Mirror horizontal',
  'Rotate 180',
  'Mirror vertical',
  'Mirror horizontal and rotate 270 CW',
  'Rotate 90 CW',
  'Mirror horizontal and rotate 90 CW',
  'Rotate 270 CW',
] as const

/** The signed resource of a photo's thumbnail or file; it is also its URL path. */
export function photoUrlPath(photoId: string, what: 'thumbnail' | 'full'): string {
  return `/api/v1/photo/photos/${photoId}/${what}`
}

export function photoRowView(photo: Photo, signer: UrlSigner) {
  return {
    id: photo.id,
    name: photo.name,
    width: photo.width,
    height: photo.height,
    date_taken_unix: photo.takenAt,
    thumbnail_url: addressOf(photo.id, 'thumbnail', signer),
    full_url: addressOf(photo.id, 'full', signer),
    library_id: photo.libraryId,
  }
}

/** `metadata` equals `exif`. */
export function photoDetailView(photo: PhotoDetail, { signer, showPath }: { signer: UrlSigner; showPath: FormatPath }) {
  const exif = exifView(photo)
  return {
    photo: {
      ...photoRowView(photo, signer),
      path: photo.path === null ? null : showPath(photo.path),
      exif,
      metadata: exif,
    },
  }
}

/** Camera data, including the keys that only some clients read. */
function exifView({ exif, width, height, orientation, takenLocal }: PhotoDetail) {
  const { gps_lat: latitude, gps_lng: longitude } = exif
  const place =
    latitude === undefined || longitude === undefined
      ? null
      : `${Number(latitude).toFixed(6)}, ${Number(longitude).toFixed(6)}`
  return {
    ...exif,
    width,
    height,
    orientation,
    orientation_name: ORIENTATIONS[orientation - 1] ?? null,
    date_taken_formatted: takenLocal,
    date_taken_year: Number(takenLocal.slice(0, 4)),
    date_taken_month: Number(takenLocal.slice(5, 7)),
    gps_display: place,
  }
}

export function photoListView({ photos, limit, offset }: PageKeys & { photos: Photo[] }, signer: UrlSigner) {
  const pagination = { limit, offset, count: photos.length }
  return { photos: photos.map((photo) => photoRowView(photo, signer)), limit, offset, pagination }
}

export function albumListView({ albums, limit, offset }: PageKeys & { albums: PhotoAlbum[] }, signer: UrlSigner) {
  const pagination = { limit, offset, count: albums.length }
  return { albums: albums.map((album) => albumRowView(album, signer)), limit, offset, pagination }
}

export function albumView(
  { date, photoCount, photos }: { date: string; photoCount: number; photos: Photo[] },
  signer: UrlSigner,
) {
  const row = albumRowView({ date, photoCount, coverPhotoId: photos[0]?.id ?? '' }, signer)
  return { album: { ...row, photos: photos.map((photo) => photoRowView(photo, signer)) } }
}

export function timelineView({ months, total }: { months: readonly PhotoMonth[]; total: number }) {
  return { months: months.map(({ month, photoCount }) => ({ month, count: photoCount })), total }
}

export function timelineMonthView(month: string, { photos, ...page }: MonthPage, signer: UrlSigner) {
  return {
    month,
    photos: photos.map(({ id, width, height, takenAt, date }) => ({
      id,
      ratio: width === null || height === null ? null : Math.round((width / height) * 1000) / 1000,
      date,
      date_taken_unix: takenAt,
      thumbnail_url: addressOf(id, 'thumbnail', signer),
    })),
    ...page,
  }
}

function albumRowView({ date, photoCount, coverPhotoId }: PhotoAlbum, signer: UrlSigner) {
  return {
    id: photoAlbumId(date),
    date,
    photo_count: photoCount,
    cover_photo: { id: coverPhotoId, thumbnail_url: addressOf(coverPhotoId, 'thumbnail', signer) },
  }
}

/** The reply is an object, as the API requires. Some clients expect a list instead, but a reply cannot be both. */
export function slideshowView(
  { date, photos }: { date: string | null; photos: Photo[] },
  intervalSeconds: number,
  signer: UrlSigner,
) {
  return {
    slideshow: {
      album_id: date === null ? null : photoAlbumId(date),
      interval: intervalSeconds,
      photos: photos.map((photo) => ({
        id: photo.id,
        full_url: addressOf(photo.id, 'full', signer),
        thumbnail_url: addressOf(photo.id, 'thumbnail', signer),
        caption: captionOf(photo),
      })),
    },
  }
}

/** Camera and time: `Canon EOS R5, 2024-05-06 23:30`. The maker is omitted if the model already starts with it. */
function captionOf({ cameraMake, cameraModel, takenLocal }: Photo): string {
  const isRepeated = cameraMake !== null && cameraModel?.toLowerCase().startsWith(cameraMake.toLowerCase()) === true
  const camera = [isRepeated ? null : cameraMake, cameraModel].filter((part) => part !== null).join(' ')
  return [camera, takenLocal.slice(0, 16)].filter((part) => part !== '').join(', ')
}

function addressOf(photoId: string, what: 'thumbnail' | 'full', signer: UrlSigner): string {
  const resource = photoUrlPath(photoId, what)
  const { exp, sig } = what === 'thumbnail' ? signer.signForDay(resource) : signer.signForHour(resource)
  return `${resource}?exp=${exp}&sig=${sig}`
}
