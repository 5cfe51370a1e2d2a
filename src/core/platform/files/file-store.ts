import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, systemErrorCode } from '../errors/index.ts'
import { freeSpaceBytes } from './free-space.ts'
import type { Logger } from '../logging/index.ts'
import type { Clock } from '../time/index.ts'

/** A size-limited store of files that are named by a hash. The least recently used files are removed first. */
export type FileStore = {
  /** The content of a file and the time when it was written; undefined when it does not exist (or no longer exists). */
  read(name: string): Promise<StoredContent | undefined>
  /** Writes a file. A full or read-only disk is logged and otherwise ignored. */
  write(name: string, bytes: Uint8Array): Promise<void>
}

export type StoredContent = { bytes: Buffer; modifiedAt: Date }

export type FileStoreOptions = {
  directory: string
  limitBytes: number
  /** Free space that is always left on the disk, which may also hold the database. */
  floorBytes: number
  clock: Clock
  log: Logger
}

/** Names are hashes. Files are distributed over 256 folders by their first two digits. */
const NAME_FORM = /^[\da-f]{64}(?:\.[a-z]{1,8})?$/
const UNFINISHED = '.part'

/** A sweep reduces the store to this share of the limit, so that the next write needs no other sweep. */
const TARGET_SHARE = 0.9

/** The minimum interval between two updates of the access time. */
const ACCESS_TIME_INTERVAL_MILLISECONDS = 3_600_000

/** A partial file of a killed process is removed after this time. */
const UNFINISHED_MILLISECONDS = 3_600_000

type StoredFile = { path: string; bytes: number; accessedAt: number; modifiedAt: number }

/** Creates a store; accesses the disk only when it is used. Files are written atomically. */
export function createFileStore({ directory, limitBytes, floorBytes, clock, log }: FileStoreOptions): FileStore {
  let storedBytes: number | undefined
  let sweeping: Promise<void> | undefined
  const pathOf = (name: string): string => {
    if (!NAME_FORM.test(name)) throw new RangeError(`not a name of this store: ${name}`)
    return join(directory, name.slice(0, 2), name.slice(2))
  }

  const sweep = async (): Promise<void> => {
    const now = clock.now().getTime()
    const files = await listFiles(directory)
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    const stale = ({ path, modifiedAt }: StoredFile): boolean =>
      path.endsWith(UNFINISHED) && now - modifiedAt > UNFINISHED_MILLISECONDS
    const isOver = total > limitBytes
    for (const file of files.toSorted((a, b) => a.accessedAt - b.accessedAt)) {
      const isRemoved = stale(file) || (isOver && total > limitBytes * TARGET_SHARE && !file.path.endsWith(UNFINISHED))
      if (!isRemoved) continue
      await rm(file.path, { force: true })
      total -= file.bytes
    }
    storedBytes = total
  }

  /** One sweep at a time. Concurrent writes wait for it, so that the limit holds. */
  const enforceLimit = async (): Promise<void> => {
    if (storedBytes !== undefined && storedBytes <= limitBytes) return
    sweeping ??= sweep().finally(() => {
      sweeping = undefined
    })
    await sweeping
  }

  const put = async (path: string, bytes: Uint8Array): Promise<void> => {
    const folder = join(path, '..')
    await makeFolders(directory, folder)
    if ((await freeSpaceBytes(folder)) - bytes.length < floorBytes) return
    const unfinished = join(folder, `${randomUUID()}${UNFINISHED}`)
    try {
      await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx' })
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    if (storedBytes !== undefined) storedBytes += bytes.length
  }

  return {
    read: (name) => readStored(pathOf(name), clock),
    async write(name, bytes) {
      const path = pathOf(name)
      try {
        await enforceLimit()
        await put(path, bytes)
        await enforceLimit()
      } catch (error) {
        log.warning({ path: directory, reason: describeError(error) }, 'a file could not be cached')
      }
    },
  }
}

/** Two separate calls: on a read-only disk `recursive` reports a missing folder instead of the cause. */
async function makeFolders(directory: string, folder: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EEXIST') throw error
  })
}

/**
 * Records the access in the access time, regardless of the mount options. A power failure can leave an empty file, which is treated as
 * absent.
 */
async function readStored(path: string, clock: Clock): Promise<StoredContent | undefined> {
  try {
    const handle = await open(path)
    try {
      const bytes = await handle.readFile()
      const { atimeMs, mtime } = await handle.stat()
      const now = clock.now()
      if (now.getTime() - atimeMs > ACCESS_TIME_INTERVAL_MILLISECONDS) await handle.utimes(now, mtime)
      return bytes.length === 0 ? undefined : { bytes, modifiedAt: mtime }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return undefined
    throw error
  }
}

async function listFiles(directory: string): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const folder of await namesIn(directory)) {
    for (const name of await namesIn(join(directory, folder))) {
      const path = join(directory, folder, name)
      // The file may have been removed in the meantime.
      const stats = await stat(path).catch(() => undefined)
      if (stats?.isFile() !== true) continue
      files.push({ path, bytes: stats.size, accessedAt: stats.atimeMs, modifiedAt: stats.mtimeMs })
    }
  }
  return files
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return []
    throw error
  })
}
