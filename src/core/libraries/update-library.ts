import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { DiskThreads } from '../platform/files/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { checkLibraryName, checkLibraryPaths } from './check-library-fields.ts'
import { libraryErrors, invalidPathError } from './errors.ts'
import { getLibrary } from './get-library.ts'
import type { Library } from './library.ts'
import { mergeLibraryOptions, type LibraryOptionsInput } from './library-options.ts'
import { lockLibrary, replaceLibraryRoots, selectLibrary, updateLibraryRow } from './queries.ts'
import { refuseFoldersOfOtherLibraries, resolveLibraryFolders } from './folders-of-other-libraries.ts'

/** The changes in a request, not validated. Absent and null fields are unchanged. */
export type LibraryChanges = LibraryOptionsInput & {
  name?: unknown
  /** Cannot change; the current value is accepted, because clients send complete forms. */
  type?: unknown
  /** The first folder; the others are kept. Ignored if `paths` is present, because every response contains both. */
  path?: unknown
  /** All folders. */
  paths?: unknown
  /** Position in lists; lower values come first. */
  displayOrder?: unknown
}

export type UpdatedLibrary = {
  library: Library
  /** Whether folders were added or removed, so that a scan is needed. A change of their order does not count. */
  arePathsChanged: boolean
}

const MAX_DISPLAY_ORDER = 2_147_483_647

/**
 * Changes a library. Given options replace stored options; other stored options are kept. Existing folders need not be readable now, so
 * that a library can be renamed while a disk is offline. Items below a removed folder remain until a scan marks them as missing
 * (docs/scanning.md).
 * @throws AppError `library_not_found`, `missing_fields`, `invalid_type`, `invalid_path`, `folder_taken`, `invalid_options`
 */
export async function updateLibrary(
  services: { db: Database; config: Pick<Config, 'dataDirectory'>; clock: Clock; diskThreads: DiskThreads },
  { libraryId, ...changes }: LibraryChanges & { libraryId: string },
): Promise<UpdatedLibrary> {
  const { db, config, clock } = services
  const known = await getLibrary({ db }, libraryId)
  const { name, displayOrder } = checkFields(known, changes)
  const wanted = wantedPaths(known, changes)
  const { dataDirectory } = config
  const paths = wanted && (await checkLibraryPaths(wanted, { dataDirectory, known: known.paths }))
  const added = (paths ?? []).filter((path) => !known.paths.includes(path))
  const resolved = await resolveLibraryFolders(services, { libraryId: known.id, type: known.type, paths: added })
  return db.transaction(async (connection) => {
    const before = await lockAndReadLibrary(connection, known.id)
    const options = mergeLibraryOptions(before.options, changes)
    await updateLibraryRow(connection, {
      id: before.id,
      name: name ?? before.name,
      displayOrder: displayOrder ?? before.displayOrder,
      options,
      now: clock.now(),
    })
    if (paths !== undefined) {
      await refuseFoldersOfOtherLibraries(connection, { libraryId: before.id, type: before.type, ...resolved })
      await replaceLibraryRoots(connection, { libraryId: before.id, paths })
    }
    const library = await getLibrary({ db: connection }, before.id)
    return { library, arePathsChanged: !haveSamePaths(before.paths, library.paths) }
  })
}

/** Locks the library, so that concurrent changes of one library are serialised and no change overwrites another. */
async function lockAndReadLibrary(connection: Connection, id: string): Promise<Library> {
  await lockLibrary(connection, id)
  const library = await selectLibrary(connection, id)
  if (library === undefined) throw libraryErrors.library_not_found()
  return library
}

function checkFields(
  known: Library,
  { name, type, displayOrder, seriesPerDirectory }: LibraryChanges,
): { name: string | undefined; displayOrder: number | undefined } {
  const newName = isGiven(name) ? checkLibraryName(name) : undefined
  if (newName === '') throw libraryErrors.missing_fields({ details: { fields: ['name'] } })
  if (isGiven(type) && type !== known.type) {
    throw libraryErrors.invalid_type({
      message: 'the type of a library cannot change',
      details: { valid_types: [known.type] },
    })
  }
  if (seriesPerDirectory === true && known.type !== 'series') {
    throw libraryErrors.invalid_options({ message: 'series_per_directory is for series libraries' })
  }
  return { name: newName, displayOrder: isGiven(displayOrder) ? checkOrder(displayOrder) : undefined }
}

function checkOrder(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_DISPLAY_ORDER) return value
  throw libraryErrors.invalid_options({ message: 'display_order must be a whole number' })
}

/** Undefined when the request contains no folders. */
function wantedPaths(known: Library, { path, paths }: LibraryChanges): string[] | undefined {
  if (isGiven(paths)) return checkList(paths)
  if (!isGiven(path)) return undefined
  const [first] = checkList([path])
  return first === undefined ? undefined : [first, ...known.paths.slice(1).filter((other) => other !== first)]
}

function checkList(paths: unknown): string[] {
  const list: unknown[] = Array.isArray(paths) ? paths : [paths]
  const texts = list.filter((one) => typeof one === 'string')
  if (texts.length < list.length || texts.includes('')) {
    throw invalidPathError('each folder of a library must be named by a text')
  }
  if (texts.length === 0) throw libraryErrors.missing_fields({ details: { fields: ['path'] } })
  return texts
}

function haveSamePaths(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((path) => after.includes(path))
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
