import { mediaRows } from './documented-media.ts'
import { audiobookRows, musicRows, photoRows } from './documented-other-media.ts'
import type { DocumentedRow } from './documented.ts'
import type { Filled } from './filled-server.ts'

/** Every documented endpoint for browsing: the success and each failure. */
export function documentedRows(filled: Filled): DocumentedRow[] {
  return [...mediaRows(filled), ...musicRows(filled), ...audiobookRows(filled), ...photoRows(filled)]
}
