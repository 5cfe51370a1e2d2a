import { photoErrors } from './errors.ts'

const FORM = /^(?:album-)?(\d{4})-(\d{2})-(\d{2})$/

/** The id of an album in the API. */
export function photoAlbumId(date: string): string {
  return `album-${date}`
}

/**
 * The day of an album id: `album-2024-05-06` or `2024-05-06`.
 * @throws AppError `photo_album_not_found` for anything that is not a calendar day
 */
export function parsePhotoAlbumDate(id: string): string {
  const [, year = '', month = '', day = ''] = FORM.exec(id) ?? []
  const date = `${year}-${month}-${day}`
  const time = new Date(`${date}T00:00:00Z`)
  // `Date` accepts 31 February as a day in March; PostgreSQL has no year 0.
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date) && year !== '0000'
  if (!isDay) throw photoErrors.photo_album_not_found()
  return date
}
