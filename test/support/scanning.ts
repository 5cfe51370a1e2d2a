import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'slonik'
import type { Test } from 'tap'
import { createCatalogueCache, type MediaItem } from '../../src/core/catalogue/index.ts'
import { createGetLibraryPaths, type Library } from '../../src/core/libraries/index.ts'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import type { ReaderPool } from '../../src/core/probing/index.ts'
import { createMediaTools, type MediaTools } from '../../src/core/platform/media-tools/index.ts'
import { createBackgroundThrottle } from '../../src/core/platform/threads/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'
import { queueScan, runScanJob, type ScanJob } from '../../src/core/scanning/index.ts'
import { noiseOf } from './byte-sources.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { sharedDiskThreads } from './disk-threads.ts'
import { reachableDirectory } from './directories.ts'
import { sampleMedia, type SampleKind } from './media.ts'
import { sharedReaders } from './readers.ts'
import { makeLibrary, type LibrarySpec } from './records.ts'
import { listWholeItems } from './whole-items.ts'

/** The dependencies of a scan, with the real tools; `probed` collects the path of every file that was read. */
export async function scanServices({
  db,
  connectionUri,
  ffprobe = 'ffprobe',
}: {
  db: Database
  connectionUri: string
  ffprobe?: string
}) {
  const config = loadConfig({ environment: {}, flags: { 'media.ffprobe': ffprobe } })
  const log = await createLogger(config, { level: 'emergency' })
  const probed: string[] = []
  const pool = sharedReaders()
  const readers: ReaderPool = {
    ...pool,
    read: (request, signal) => {
      probed.push(request.path)
      return pool.read(request, signal)
    },
  }
  const mediaTools: MediaTools = createMediaTools({ config, log })
  return {
    db,
    connectionUri,
    clock: systemClock,
    log,
    mediaTools,
    readers,
    probed,
    throttle: createBackgroundThrottle(),
    diskThreads: sharedDiskThreads(),
    getLibraryPaths: createGetLibraryPaths({ db }),
    catalogueCache: createCatalogueCache({ db }),
  }
}

/** Without a given database the library gets a new one, which takes longer than many tests. */
type ScannedLibrarySpec = LibrarySpec & { folder?: string; database?: TestDatabase }

/** A library on a new folder, or on a given one, and a function that scans it; by default a film library. */
export async function scannedLibrary(t: Test, spec: ScannedLibrarySpec = {}) {
  const { pool: db, connectionUri, environment } = spec.database ?? (await testDatabase(t))
  // Not below the checkout, which other accounts may not be able to read: some tests scan as one of them.
  const folder = spec.folder ?? reachableDirectory(t)
  const library = await makeLibrary(db, folder, spec)
  const services = await scanServices({ db, connectionUri })
  const signal = new AbortController().signal
  const scan = async (
    type: 'scan' | 'rescan' = 'scan',
    options: { force?: boolean; readEveryFile?: boolean } = {},
  ): Promise<ScanJob> => {
    services.probed.length = 0
    const job = await queueScan(services, { libraryId: library.id, type, ...options })
    return runScanJob(services, { scanJobId: job.id, whenAborted: 'cancel' }, signal)
  }
  return {
    db,
    connectionUri,
    environment,
    folder,
    library,
    services,
    scan,
    items: () => itemsByPath(db, library, folder),
  }
}

/** Runs an action before a file is read, after its folder was listed. */
export function beforeReading(services: { readers: ReaderPool }, act: (path: string) => Promise<void> | void): void {
  const { readers } = services
  services.readers = {
    ...readers,
    read: async (request, signal) => {
      await act(request.path)
      return readers.read(request, signal)
    },
  }
}

/** All catalogue rows of a library, by relative path. */
export async function itemsByPath(db: Database, library: Library, folder: string): Promise<Map<string, MediaItem>> {
  const items = new Map<string, MediaItem>()
  for (let offset = 0; ; offset += 100) {
    const page = await listWholeItems({ db }, { libraryId: library.id, limit: 100, offset })
    for (const item of page.items) items.set((item.path ?? '').slice(folder.length + 1), item)
    if (items.size >= page.total || page.items.length === 0) return items
  }
}

/** Copies a sample to a path below a folder. */
export async function putSample(folder: string, path: string, kind: SampleKind = 'film-tiny-mp4'): Promise<string> {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(await sampleMedia(kind), target)
  return target
}

/** Writes bytes to a path below a folder, optionally with a modification time. */
export function putFile(folder: string, path: string, bytes: Uint8Array | string, modifiedAt?: Date): string {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, bytes)
  if (modifiedAt !== undefined) utimesSync(target, modifiedAt, modifiedAt)
  return target
}

/** Among random bytes, about one file in a hundred is recognised as lyrics or as another rare format. */
const NO_FILM = 'no film, '.repeat(4)

/**
 * Writes bytes in no known format to a path below a folder. They depend on the path only, because the result of ffprobe varies for such
 * bytes.
 */
export function putNoise(folder: string, path: string, sizeBytes = 100): string {
  const seed = createHash('sha256').update(path).digest().readUInt32BE()
  return putFile(folder, path, Buffer.concat([Buffer.from(NO_FILM), noiseOf(seed, sizeBytes)]).subarray(0, sizeBytes))
}

/** Rows of a library by table. */
export async function countRows(db: Database): Promise<{ items: number; streams: number; folders: number }> {
  const [row] = await db.any(sql.unsafe`
    select (select count(*) from media_items) as items, (select count(*) from media_streams) as streams,
      (select count(*) from scan_folders) as folders`)
  return row as { items: number; streams: number; folders: number }
}
