import { createReaderPool, type ReaderPool } from '../../src/core/probing/index.ts'

let shared: ReaderPool | undefined

/**
 * The shared reader thread of this test process, because starting one takes longer than most tests. It is idle between tests and keeps no
 * process alive.
 */
export function sharedReaders(): ReaderPool {
  shared ??= createReaderPool({ threads: 1 })
  return shared
}
