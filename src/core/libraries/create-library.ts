import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { DiskThreads } from '../platform/files/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { checkLibraryName, checkLibraryPaths } from './check-library-fields.ts'
import { libraryErrors } from './errors.ts'
import { isLibraryType, LIBRARY_TYPES, type Library, type LibraryType } from './library.ts'
import { mergeLibraryOptions, type LibraryOptionsInput } from './library-options.ts'
import { insertLibrary, insertLibraryRoots } from './queries.ts'
import { refuseFoldersOfOtherLibraries, resolveLibraryFolders } from './folders-of-other-libraries.ts'

/** The input for a new library, not validated. `path` and `paths` may both be present. */
export type NewLibrary = LibraryOptionsInput & {
  name?: unknown
  type?: unknown
  path?: unknown
  paths?: unknown
}

type Dependencies = { db: Database; config: Pick<Config, 'dataDirectory'>; clock: Clock; diskThreads: DiskThreads }

/**
 * Creates a library. Its folders must exist and be readable. It has no items until the first scan.
 * @throws AppError `missing_fields`, `invalid_type` with `details.valid_types`, `invalid_path`, `folder_taken`, `invalid_options`
 */
export async function createLibrary(
  { db, config, clock, diskThreads }: Dependencies,
  input: NewLibrary,
): Promise<Library> {
  const { name, type, paths } = checkFields(input)
  const options = mergeLibraryOptions({}, input)
  const roots = await checkLibraryPaths(paths, config)
  const resolved = await resolveLibraryFolders({ db, diskThreads }, { type, paths: roots })
  const now = clock.now()
  return db.transaction(async (connection) => {
    await refuseFoldersOfOtherLibraries(connection, { type, ...resolved })
    const library = await insertLibrary(connection, { name, type, options, now })
    await insertLibraryRoots(connection, {
      libraryId: library.id,
      roots: roots.map((path) => ({ path, identity: null })),
    })
    return { ...library, paths: roots }
  })
}

function checkFields(input: NewLibrary): { name: string; type: LibraryType; paths: string[] } {
  const name = checkLibraryName(input.name)
  const type = typeof input.type === 'string' ? input.type : ''
  const paths = readPaths(input)
  const fields = [name === '' && 'name', type === '' && 'type', paths.length === 0 && 'path'].filter(Boolean)
  if (fields.length > 0) throw libraryErrors.missing_fields({ details: { fields } })
  if (!isLibraryType(type)) throw libraryErrors.invalid_type({ details: { valid_types: LIBRARY_TYPES } })
  return { name, type, paths }
}

function readPaths({ path, paths }: NewLibrary): string[] {
  const given: unknown[] = [path, ...(Array.isArray(paths) ? (paths as unknown[]) : [])]
  return given.filter((one): one is string => typeof one === 'string' && one !== '')
}
