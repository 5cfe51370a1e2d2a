import { createReaderPool, type ReaderPool } from '../../src/core/probing/index.ts'

let shared: ReaderPool | undefined

/**
 * The reader thread of this test process. Starting one costs more than most claims; it rests between them and keeps no process alive.
 */
export function sharedReaders(): ReaderPool {
  shared ??= createReaderPool({ threads: 1 })
  return shared
}
