import type { ItemWrite } from '../../src/core/catalogue/index.ts'

/** A row as a scan writes it: by default a film of 100 s without streams. */
export function itemRow(row: Pick<ItemWrite, 'libraryId' | 'name' | 'path'> & Partial<ItemWrite>): ItemWrite {
  return {
    type: 'movie',
    sortTitle: row.name,
    year: null,
    sizeBytes: 1000,
    modifiedAtNanoseconds: 1_700_000_000_000_000_000n,
    durationSeconds: 100,
    container: 'matroska,webm',
    bitrate: 1_000_000,
    metadata: {},
    probeError: null,
    canonicalKey: row.path,
    contentHash: null,
    streams: [],
    ...row,
  }
}
