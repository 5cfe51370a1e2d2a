import { openItemFile, type OpenItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { themeMediaErrors } from './errors.ts'
import { getThemeMedia } from './get-theme-media.ts'
import type { ThemeKind } from './theme-media.ts'

/**
 * Opens the theme of a library, after proof that it lies inside one of its folders.
 * @throws AppError `library_not_found`, `theme_media_not_found`, and the errors of opening a file
 */
export async function openThemeMedia(
  services: { db: Connection; getLibraryPaths: GetLibraryPaths },
  { libraryId, kind }: { libraryId: string; kind: ThemeKind },
): Promise<OpenItemFile> {
  const media = await getThemeMedia(services, { libraryId })
  const file = media[kind]
  if (file === null) throw themeMediaErrors.theme_media_not_found()
  return openItemFile(services, { path: file.path, libraryId: media.libraryId })
}
