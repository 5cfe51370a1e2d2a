import type { ImportResult } from '../../../core/requests/index.ts'

/** What came of a webhook: requests made available, and the library that is scanned for it. */
export function receiptView({ event, availableCount, libraryId }: ImportResult) {
  return { event, available: availableCount, library_id: libraryId }
}
