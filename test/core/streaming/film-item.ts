import { copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { writeItems } from '../../../src/core/catalogue/index.ts'
import { createGetLibraryPaths, type GetLibraryPaths } from '../../../src/core/libraries/index.ts'
import { loadConfig, type Config } from '../../../src/core/platform/config/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import { createLogger, type Logger } from '../../../src/core/platform/logging/index.ts'
import type { MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { createReaderPool, probeFile, type ReaderPool } from '../../../src/core/probing/index.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { makeLibrary, movableClock } from '../../support/records.ts'
import { realMediaTools } from './support.ts'

export type StreamingServices = {
  config: Config
  log: Logger
  clock: ReturnType<typeof movableClock>
  db: Database
  getLibraryPaths: GetLibraryPaths
  mediaTools: MediaTools
  readers: ReaderPool
}

/** The dependencies of streaming, all real: a database, the media tools and an empty data directory. */
export async function streamingServices(t: Test, flags: Record<string, string> = {}): Promise<StreamingServices> {
  const { pool: db } = await testDatabase(t)
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: {}, flags })
  const log = await createLogger(config, { level: 'emergency' })
  const readers = createReaderPool({ threads: 1 })
  t.teardown(() => readers.close())
  const getLibraryPaths = createGetLibraryPaths({ db })
  return { config, log, clock: movableClock(), db, getLibraryPaths, mediaTools: await realMediaTools(), readers }
}

/** Copies a file into a new library, as a scan would; returns the item's id and the path of the copy. */
export async function addFilm(
  t: Test,
  { db, mediaTools, clock }: Pick<StreamingServices, 'db' | 'mediaTools' | 'clock'>,
  source: string,
): Promise<{ itemId: string; path: string }> {
  const folder = reachableDirectory(t)
  const path = join(folder, basename(source))
  await copyFile(source, path)
  const library = await makeLibrary(db, folder)
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const { source: profile, durationSeconds, container, bitrate } = await probeFile({ mediaTools }, path)
  const [written] = await writeItems(
    db,
    [
      {
        libraryId: library.id,
        type: 'movie',
        name: 'A film',
        sortTitle: 'A film',
        year: null,
        path,
        sizeBytes: Number(size),
        modifiedAtNanoseconds: mtimeNs,
        canonicalKey: path,
        contentHash: null,
        durationSeconds,
        container,
        bitrate,
        metadata: profile === null ? {} : { source: profile },
        probeError: null,
        streams: [],
      },
    ],
    clock.now(),
  )
  if (written === undefined) throw new Error('the item was not written')
  return { itemId: written.id, path }
}
