import type { Library } from '../../../core/libraries/index.ts'
import type { CoreServices } from '../../../core/core-services.ts'
import { findNamed, listNames } from './find-named.ts'

/**
 * Finds a library by id or by name.
 * @throws AppError `library_not_found` with the names that exist, `usage` when several have the name
 */
export async function findLibrary(services: Pick<CoreServices, 'db'>, idOrName: string): Promise<Library> {
  const { libraryErrors, listLibraries } = await import('../../../core/libraries/index.ts')
  const all = await listLibraries(services)
  const library = findNamed(all, { idOrName, kind: 'libraries' })
  if (library !== undefined) return library
  throw libraryErrors.library_not_found({
    message: `No library has the id or name ${JSON.stringify(idOrName.slice(0, 100))}`,
    hint: `${listNames(all, { kind: 'libraries' })}phlix library:list`,
  })
}
