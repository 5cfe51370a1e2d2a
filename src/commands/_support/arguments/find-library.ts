import type { Library } from '../../../core/libraries/index.ts'
import type { CoreServices } from '../../../core/core-services.ts'
import { findNamed } from './find-named.ts'

/**
 * Finds a library by id or by exact name.
 * @throws AppError `library_not_found`, `usage` when several have the name
 */
export async function findLibrary(services: Pick<CoreServices, 'db'>, idOrName: string): Promise<Library> {
  const { libraryErrors, listLibraries } = await import('../../../core/libraries/index.ts')
  const library = findNamed(await listLibraries(services), { idOrName, kind: 'libraries' })
  if (library !== undefined) return library
  throw libraryErrors.library_not_found({ message: 'No library has this id or name', hint: 'phlix library:list' })
}
