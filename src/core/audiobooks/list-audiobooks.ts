import { z } from 'zod'
import { catalogueErrors, checkPage, type Page, type PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { selectAudiobooks, type ListedAudiobook } from './queries/read.ts'

export type { ListedAudiobook }

const Id = z.guid()

/** Every field is optional; a blank `libraryId` is no filter. */
export type AudiobookFilter = PageRequest & { libraryId?: string | undefined }

/**
 * A page of the books by name, with the progress of the profile in each.
 * @throws AppError `invalid_request` for a library id that is not a UUID
 */
export async function listAudiobooks(
  { db }: { db: Connection },
  { profileId, libraryId, ...request }: AudiobookFilter & { profileId: string },
): Promise<Page & { audiobooks: ListedAudiobook[] }> {
  const wanted = (libraryId ?? '').trim()
  if (wanted !== '' && !Id.safeParse(wanted).success) {
    throw catalogueErrors.invalid_request({ message: 'library_id must be a UUID', details: { field: 'library_id' } })
  }
  const page = checkPage(request)
  const filter = { profileId, libraryId: wanted === '' ? null : wanted, ...page }
  return { audiobooks: await selectAudiobooks(db, filter), ...page }
}
