import { copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import type { AnalysedFile } from '../../../src/core/analysis/film/analysed-file.ts'
import { writeItems, type Chapter } from '../../../src/core/catalogue/index.ts'
import type { Database } from '../../../src/core/platform/database/index.ts'
import type { MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { probeFile } from '../../../src/core/probing/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { itemRow } from '../../support/item-row.ts'
import { makeLibrary } from '../../support/records.ts'

/** Copies a film into a new library, as a scan would; returns the file of its item. */
export async function analysedFilm(
  t: Test,
  { db, mediaTools }: { db: Database; mediaTools: MediaTools },
  source: string,
  { chapters }: { chapters?: readonly Chapter[] } = {},
): Promise<AnalysedFile> {
  const root = reachableDirectory(t)
  const path = join(root, basename(source))
  await copyFile(source, path)
  const library = await makeLibrary(db, root, `Library ${root}`)
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const probed = await probeFile({ mediaTools }, path)
  const row = itemRow({
    libraryId: library.id,
    name: 'A film',
    path,
    canonicalKey: path,
    sizeBytes: Number(size),
    modifiedAtNanoseconds: mtimeNs,
    durationSeconds: probed.durationSeconds,
    container: probed.container,
    metadata: probed.source === null ? {} : { source: probed.source },
    streams: probed.streams.map(
      ({ index, type, codec, language, title, bitrate, width, height, channels, isDefault, ...details }) => ({
        index,
        type,
        codec,
        language,
        title,
        bitrate,
        width,
        height,
        channels,
        isDefault,
        details,
      }),
    ),
    chapters: chapters ?? probed.chapters,
  })
  const [written] = await writeItems(db, [row], new Date('2026-01-01T00:00:00Z'))
  if (written === undefined) throw new Error('the item was not written')
  const modifiedAtNanoseconds = mtimeNs.toString()
  const file = { itemId: written.id, root, path, sizeBytes: Number(size), modifiedAtNanoseconds }
  return { ...file, durationSeconds: probed.durationSeconds }
}
