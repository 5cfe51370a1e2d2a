import { getLibrary } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { deleteThemeMedia, selectThemeMedia } from './queries.ts'
import type { ThemeMedia } from './theme-media.ts'

/**
 * What is known of a library's theme; nothing, when nobody has looked or it was forgotten. No folder is opened.
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
 * Forgets what was found, until the next scan; files stay where they are.
 * @throws AppError `library_not_found`
 */
export async function forgetThemeMedia(
  { db }: { db: Connection },
  { libraryId }: { libraryId: string },
): Promise<void> {
  const { id } = await getLibrary({ db }, libraryId)
  await deleteThemeMedia(db, id)
}
