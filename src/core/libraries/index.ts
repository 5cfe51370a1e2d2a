export { browseFolders, type BrowsedFolder } from './browse-folders.ts'
export { createLibrary, type NewLibrary } from './create-library.ts'
export { deleteLibraryRecord } from './delete-library-record.ts'
export { libraryErrors } from './errors.ts'
export { getLibrary } from './get-library.ts'
export {
  LIBRARY_TYPES,
  type Library,
  type LibraryType,
  type LibraryOptions,
  type LibraryRoot,
  type RootIdentity,
} from './library.ts'
export { matchesAfterScan, analysesMarkersAfterScan, makesTrickplayAfterScan } from './library-options.ts'
export { createGetLibraryPaths, type GetLibraryPaths } from './library-paths.ts'
export { listAllLibraryFolders, listLibraryRoots, storeRootIdentity } from './library-roots.ts'
export { listLibraries } from './list-libraries.ts'
export { effectiveTimeZone } from './time-zone.ts'
export { updateLibrary, type LibraryChanges, type UpdatedLibrary } from './update-library.ts'
