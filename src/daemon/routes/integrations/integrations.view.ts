import type { Receipt } from '../../../core/requests/index.ts'

/** Result of a webhook: the number of requests made available, and the library that is scanned. */
export function receiptView({ event, availableCount, libraryId }: Receipt) {
  return { event, available: availableCount, library_id: libraryId }
}
