import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStamp } from '../../catalogue/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { systemErrorCode } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { analysisErrors } from '../errors.ts'
import { readIndexXml, type IndexedPicture } from './formats/index-xml.ts'
import { gridIndexOfPicture } from './grid-geometry.ts'
import { gridFileName, SET_INDEX_NAME, itemTrickplayFolder, trickplaySetName } from './set-folders.ts'

/** The pictures of the time line of one file. */
export type TrickplaySet = Readonly<{
  /** The item of the file. */
  itemId: string
  folder: string
  /** Changes with the file. */
  version: string
  madeAt: Date
  /** At least one picture, ordered by time. */
  pictures: readonly IndexedPicture[]
}>

/** The minimum interval between two updates of the access time, by which sets are removed. */
const ACCESS_TIME_INTERVAL_MILLISECONDS = 3_600_000

/** Reads the set of a version of a file; undefined when there is none. Records the access. */
export async function readTrickplaySet(
  { config, clock }: { config: Pick<Config, 'dataDirectory'>; clock: Clock },
  itemId: string,
  stamp: FileStamp,
): Promise<TrickplaySet | undefined> {
  const version = trickplaySetName(stamp)
  const folder = join(itemTrickplayFolder(config, itemId), version)
  const handle = await openIfPresent(join(folder, SET_INDEX_NAME))
  if (handle === undefined) return undefined
  try {
    const { atimeMs, mtime } = await handle.stat()
    const now = clock.now()
    // A read-only disk keeps its times, and its pictures can be read.
    const isRecorded = now.getTime() - atimeMs > ACCESS_TIME_INTERVAL_MILLISECONDS
    if (isRecorded) await handle.utimes(now, mtime).catch(ignoreSystemErrors)
    const pictures = readIndexXml(await handle.readFile('utf8'))
    return pictures === undefined || pictures.length === 0
      ? undefined
      : { itemId, folder, version, madeAt: mtime, pictures }
  } finally {
    await handle.close()
  }
}

/**
 * Opens a file of a set; the caller closes it.
 * @throws AppError `trickplay_picture_not_found` also when the set was removed meanwhile
 */
export async function openSetFile({ folder }: TrickplaySet, name: string): Promise<FileHandle> {
  const handle = await openIfPresent(join(folder, name))
  if (handle === undefined) throw analysisErrors.trickplay_picture_not_found()
  return handle
}

/** Reads the JPEG files of pictures of a set, in their order. */
export async function readPictureFiles(set: TrickplaySet, pictures: readonly IndexedPicture[]): Promise<Buffer[]> {
  const files: Buffer[] = []
  const byGrid = Map.groupBy(pictures, ({ index }) => gridIndexOfPicture(index))
  for (const [grid, group] of byGrid) {
    await using handle = await openSetFile(set, gridFileName(grid))
    for (const { offsetBytes, lengthBytes } of group) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(lengthBytes), 0, lengthBytes, offsetBytes)
      if (bytesRead !== lengthBytes) throw analysisErrors.trickplay_picture_not_found()
      files.push(buffer)
    }
  }
  return files
}

function ignoreSystemErrors(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error
}

async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return undefined
    throw error
  }
}
