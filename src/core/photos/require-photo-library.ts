import { z } from 'zod'
import { catalogueErrors } from '../catalogue/index.ts'

const Id = z.guid()

/**
 * The library of a request; undefined for a blank one.
 * @throws AppError `invalid_request` for an id that is not a UUID
 */
export function requirePhotoLibrary(libraryId: string | undefined): string | undefined {
  const trimmed = libraryId?.trim() ?? ''
  if (trimmed === '') return undefined
  if (!Id.safeParse(trimmed).success) {
    throw catalogueErrors.invalid_request({
      message: 'library_id is not the id of a library',
      details: { field: 'library_id' },
    })
  }
  return trimmed
}
