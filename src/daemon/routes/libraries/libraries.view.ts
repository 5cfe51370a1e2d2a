import type { Library } from '../../../core/libraries/index.ts'
import type { ScanJob } from '../../../core/scanning/index.ts'
import { libraryView } from '../../../core/views/index.ts'

/** The reply of creation, with the first scan unless the request excluded it. */
export function createdLibraryView(library: Library, firstScan: ScanJob | undefined) {
  const { id, name, type, path, paths } = libraryView(library)
  return {
    id,
    name,
    type,
    path,
    paths,
    library_id: id,
    ...(firstScan === undefined
      ? { status: 'created', message: 'Library created' }
      : { job_id: firstScan.id, status: 'scanning', message: 'Library created, its first scan is queued' }),
  }
}

/** The reply of an update, with the scan that changed folders require. */
export function updatedLibraryView(library: Library, scan: ScanJob | undefined) {
  return {
    // Only administrators can change a library.
    library: libraryView(library),
    ...(scan === undefined ? {} : { job_id: scan.id }),
    message: scan === undefined ? 'Library updated' : 'Library updated, a scan is queued',
  }
}
