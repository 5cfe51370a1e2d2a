import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY_DIRECTORY = '/dev/shm'
/** linux/magic.h */
const TMPFS_MAGIC = 0x0102_1994
/** Several times what the databases of a run have ever taken. */
const NEEDED_BYTES = 2 * 1024 ** 3

/**
 * Where databases of tests are: in memory instead of on a disk where there is enough of it, else where temporary files are. Each
 * database has a thousand files; ext4 looks for a free inode among those that were deleted in the last seconds, so that making and
 * deleting databases took a third of the processors. Media of tests cannot be there: a folder below /dev is no library.
 */
export function memoryParent(): string {
  try {
    const { bavail, bsize, type } = statfsSync(MEMORY_DIRECTORY)
    accessSync(MEMORY_DIRECTORY, constants.W_OK)
    return type === TMPFS_MAGIC && bavail * bsize > NEEDED_BYTES ? MEMORY_DIRECTORY : tmpdir()
  } catch {
    // Not on every system.
    return tmpdir()
  }
}
