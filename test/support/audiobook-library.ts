import type { Test } from 'tap'
import { createLibrary, type Library } from '../../src/core/libraries/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import type { SigningServices } from '../../src/core/services.ts'
import { reachableDirectory } from './directories.ts'
import { listWholeItems } from './whole-items.ts'

export type ScannedAudiobookLibrary = {
  library: Library
  folder: string
  idOf: Map<string, string>
  scan: () => Promise<void>
}

/**
 * A scanned library of the files that `fill` creates.
 * @returns `idOf`: ids of listed items by name
 */
export async function scanAudiobookLibrary(
  t: Test,
  services: SigningServices,
  { type, fill }: { type: 'audiobook' | 'book'; fill: (folder: string) => Promise<void> | void },
): Promise<ScannedAudiobookLibrary> {
  const folder = reachableDirectory(t)
  await fill(folder)
  const library = await createLibrary(services, { name: `Shelf of ${type}s`, type, path: folder })
  const idOf = new Map<string, string>()
  const scan = async (): Promise<void> => {
    const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
    await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
    const { items } = await listWholeItems(services, { libraryId: library.id, limit: 100, offset: 0 })
    for (const item of items) idOf.set(item.name, item.id)
  }
  await scan()
  return { library, folder, idOf, scan }
}
