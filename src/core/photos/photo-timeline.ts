import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { requirePhotoLibrary } from './require-photo-library.ts'
import type { PhotoMonth, TimelinePhoto } from './photo.ts'
import { countPhotos, selectMonths, selectTimeline } from './queries/read.ts'

const MONTH_FORM = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/

const MAX_LIMIT = 1000

/**
 * The months that have photos, the newest first, and the number of all photos.
 * @throws AppError `invalid_request`
 */
export async function listPhotoMonths(
  { db }: { db: Connection },
  { libraryId }: { libraryId?: string | undefined },
): Promise<{ months: PhotoMonth[]; total: number }> {
  const months = await selectMonths(db, { libraryId: requirePhotoLibrary(libraryId) })
  return { months, total: months.reduce((sum, { photoCount }) => sum + photoCount, 0) }
}

export type MonthPage = { photos: TimelinePhoto[]; total: number; limit: number; offset: number }

/**
 * A page of the photos of a month, the newest day first, and their total number.
 * @param input.month `2024-05`
 * @param input.limit default and maximum 1,000
 * @throws AppError `invalid_request`
 */
export async function listPhotosOfMonth(
  { db }: { db: Connection },
  input: { month: string; libraryId?: string | undefined; limit?: number | undefined; offset?: number | undefined },
): Promise<MonthPage> {
  const { month, limit: wanted = MAX_LIMIT, offset: start = 0 } = input
  if (!MONTH_FORM.test(month)) {
    throw catalogueErrors.invalid_request({ message: 'month is not a month like 2024-05', details: { field: 'month' } })
  }
  const filter = { libraryId: requirePhotoLibrary(input.libraryId), month }
  const limit = Math.min(Math.max(Math.trunc(wanted), 1), MAX_LIMIT)
  const offset = Math.min(Math.max(Math.trunc(start), 0), Number.MAX_SAFE_INTEGER)
  const photos = await selectTimeline(db, { ...filter, limit, offset })
  const isWhole = offset === 0 && photos.length < limit
  return { photos, total: isWhole ? photos.length : await countPhotos(db, filter), limit, offset }
}
