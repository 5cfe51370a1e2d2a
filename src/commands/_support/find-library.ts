import type { Library } from '../../core/libraries/index.ts'
import type { Services } from '../../core/services.ts'
import { commandErrors } from './errors.ts'

/**
 * The library with this id, or with exactly this name when only one has it.
 * @throws AppError `library_not_found`, `usage` when several have the name
 */
export async function findLibrary(services: Services, idOrName: string): Promise<Library> {
  const { libraryErrors, listLibraries } = await import('../../core/libraries/index.ts')
  const all = await listLibraries(services)
  const byId = all.find((library) => library.id === idOrName.toLowerCase())
  if (byId !== undefined) return byId
  const [first, ...others] = all.filter((library) => library.name === idOrName)
  if (first === undefined) {
    throw libraryErrors.library_not_found({ message: 'No library has this id or name', hint: 'phlix library:list' })
  }
  if (others.length > 0) {
    const ids = [first, ...others].map((library) => library.id)
    throw commandErrors.usage({ message: `${ids.length} libraries have this name; give an id`, details: { ids } })
  }
  return first
}
