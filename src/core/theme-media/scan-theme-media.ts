import { extname } from 'node:path'
import { openItemFile } from '../catalogue/index.ts'
import { getLibrary, type GetLibraryPaths, type Library } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { statFiles, type DiskThreads } from '../platform/files/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { probeFile } from '../probing/index.ts'
import { selectSeriesFolders, upsertThemeMedia } from './queries.ts'
import { themePaths, type ThemeFile, type ThemeKind, type ThemeMedia } from './theme-media.ts'

type Services = {
  db: Connection
  getLibraryPaths: GetLibraryPaths
  diskThreads: DiskThreads
  clock: Clock
  mediaTools: Pick<MediaTools, 'probe'>
}

/**
 * Searches the theme song and the backdrop video of a library and stores them: in the folders of the library, and for a library of series
 * in the folder of each series too, by name. Opens only the files that it finds.
 * @throws AppError `library_not_found`, `folder_unavailable` if a disk does not answer
 */
export async function scanThemeMedia(
  services: Services,
  { libraryId }: { libraryId: string },
  signal?: AbortSignal,
): Promise<ThemeMedia> {
  const library = await getLibrary(services, libraryId)
  const series = library.type === 'series' ? await selectSeriesFolders(services.db, library) : []
  const folders = [...library.paths, ...series]
  const found = {
    libraryId: library.id,
    audio: await findTheme(services, { library, folders, kind: 'audio' }, signal),
    video: await findTheme(services, { library, folders, kind: 'video' }, signal),
    scannedAt: services.clock.now(),
  }
  await upsertThemeMedia(services.db, found)
  return found
}

type Search = { library: Library; folders: readonly string[]; kind: ThemeKind }

/** The first candidate that can be opened and lies inside the library. */
async function findTheme(
  services: Services,
  { library, folders, kind }: Search,
  signal: AbortSignal | undefined,
): Promise<ThemeFile | null> {
  const paths = themePaths(kind, folders)
  const stats = await statFiles(services, paths)
  for (const path of paths.filter((_, index) => stats[index]?.kind === 'present')) {
    if (await isInLibrary(services, { path, libraryId: library.id })) return describe(services, path, signal)
  }
  return null
}

async function isInLibrary(services: Services, file: { path: string; libraryId: string }): Promise<boolean> {
  try {
    const { handle } = await openItemFile(services, file)
    await handle.close()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** A file that cannot be probed is still listed, without duration and dimensions. */
async function describe(services: Services, path: string, signal: AbortSignal | undefined): Promise<ThemeFile> {
  const format = extname(path).slice(1)
  try {
    const { durationSeconds, source } = await probeFile(services, path, signal)
    const { width = null, height = null } = source ?? {}
    return { path, durationSeconds: Math.round(durationSeconds), width, height, format }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { path, durationSeconds: null, width: null, height: null, format }
  }
}
