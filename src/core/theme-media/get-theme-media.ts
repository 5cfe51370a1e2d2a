import { getLibrary } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { deleteThemeMedia, selectThemeMedia } from './queries.ts'
import type { ThemeMedia } from './theme-media.ts'

/**
 * The stored theme of a library; empty if it was never scanned or was deleted. No folder is opened.
 * @throws AppError `library_not_found`
 */
export async function getThemeMedia(
  { db }: { db: Connection },
  { libraryId }: { libraryId: string },
): Promise<ThemeMedia> {
  const { id } = await getLibrary({ db }, libraryId)
  return (await selectThemeMedia(db, id)) ?? { libraryId: id, audio: null, video: null, scannedAt: null }
}

/**
 * Deletes the stored theme until the next scan; the files stay.
 * @throws AppError `library_not_found`
 */
export async function removeThemeMedia(
  { db }: { db: Connection },
  { libraryId }: { libraryId: string },
): Promise<void> {
  const { id } = await getLibrary({ db }, libraryId)
  await deleteThemeMedia(db, id)
}
