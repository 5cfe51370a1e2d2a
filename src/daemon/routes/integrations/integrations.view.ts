import type { ImportResult } from '../../../core/requests/index.ts'

/** Result of a webhook: the number of requests made available, and the library that is scanned. */
export function receiptView({ event, availableCount, libraryId }: ImportResult) {
  return { event, available: availableCount, library_id: libraryId }
}
