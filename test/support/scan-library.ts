import { createLibrary, type Library, type LibraryType } from '../../src/core/libraries/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import type { SigningServices } from '../../src/core/services.ts'

/** Creates a library on an existing folder and scans it with the services of an app. */
export async function scanLibrary(
  services: SigningServices,
  { folder, type }: { folder: string; type: LibraryType },
): Promise<Library> {
  const library = await createLibrary(services, { name: `Library ${folder}`, type, path: folder })
  await scanAgain(services, library.id)
  return library
}

/** Scans again after changes. */
export async function scanAgain(
  services: SigningServices,
  libraryId: string,
  type: 'scan' | 'rescan' = 'scan',
): Promise<void> {
  const { id } = await queueScan(services, { libraryId, type })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
}
