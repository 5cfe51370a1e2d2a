import type { MediaRequest } from '../../../core/requests/index.ts'
import { requestView } from '../../../core/views/index.ts'

/** A list with its length. */
export function requestListView(requests: readonly MediaRequest[]) {
  return { requests: requests.map(requestView), count: requests.length }
}
