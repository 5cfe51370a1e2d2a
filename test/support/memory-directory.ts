import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY_DIRECTORY = '/dev/shm'
/** linux/magic.h */
const TMPFS_MAGIC = 0x0102_1994
/** Several times the size of all databases of a test run. */
const NEEDED_BYTES = 2 * 1024 ** 3

/**
 * The parent directory of test databases: in memory if there is enough, else the directory of temporary files. Each database has a thousand
 * files. ext4 searches for a free inode among recently deleted ones, so that creating and deleting databases took a third of the processor
 * time. Media of tests cannot be there: a folder below /dev cannot be a library.
 */
export function memoryParent(): string {
  try {
    const { bavail, bsize, type } = statfsSync(MEMORY_DIRECTORY)
    accessSync(MEMORY_DIRECTORY, constants.W_OK)
    return type === TMPFS_MAGIC && bavail * bsize > NEEDED_BYTES ? MEMORY_DIRECTORY : tmpdir()
  } catch {
    // /dev/shm does not exist on every system.
    return tmpdir()
  }
}
