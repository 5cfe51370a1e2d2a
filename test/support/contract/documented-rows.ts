import { mediaRows } from './documented-media.ts'
import { audiobookRows, musicRows, photoRows } from './documented-shelves.ts'
import type { DocumentedRow } from './documented.ts'
import type { Filled } from './filled-server.ts'

/** Every row of the endpoint tables of document 1 for what is browsed: its success and each of its failures. */
export function documentedRows(filled: Filled): DocumentedRow[] {
  return [...mediaRows(filled), ...musicRows(filled), ...audiobookRows(filled), ...photoRows(filled)]
}
