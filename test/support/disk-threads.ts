import { createDiskThreads, type DiskThreads } from '../../src/core/platform/files/index.ts'

const diskThreads = createDiskThreads()

/** The disk threads that all tests of a process share; starting a thread takes longer than most tests use it. */
export function sharedDiskThreads(): DiskThreads {
  return diskThreads
}
