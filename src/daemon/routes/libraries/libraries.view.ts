import type { Library } from '../../../core/libraries/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { ShowPath } from '../../http/shown-paths.ts'
import type { ScanJob } from '../../../core/scanning/index.ts'

/**
 * A library in lists and details. `path` is the first folder, because the API knows only one. It is empty for users who are not
 * administrators.
 */
export function libraryView(library: Library, showPath: ShowPath) {
  return {
    ...identityView({ ...library, paths: library.paths.map(showPath) }),
    options: library.options,
    item_count: library.itemCount,
    display_order: library.displayOrder,
    auto_collections: library.autoCollections,
    created_at: toIsoTimestamp(library.createdAt),
    updated_at: toIsoTimestamp(library.updatedAt),
  }
}

/** The reply of creation, with the first scan. */
export function createdLibraryView(library: Library, firstScan: ScanJob) {
  return {
    ...identityView(library),
    library_id: library.id,
    job_id: firstScan.id,
    status: 'scanning' as const,
    message: 'Library created, its first scan is queued',
  }
}

/** The reply of an update, with the scan that changed folders require. */
export function updatedLibraryView(library: Library, scan: ScanJob | undefined) {
  return {
    // Only administrators can change a library.
    library: libraryView(library, (path) => path),
    ...(scan === undefined ? {} : { job_id: scan.id }),
    message: scan === undefined ? 'Library updated' : 'Library updated, a scan is queued',
  }
}

function identityView({ id, name, type, paths }: Pick<Library, 'id' | 'name' | 'type' | 'paths'>) {
  return { id, name, type, path: paths[0] ?? '', paths }
}
