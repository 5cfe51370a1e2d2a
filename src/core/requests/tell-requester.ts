import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaRequest } from './media-request.ts'

/** Tells whoever made a request that it was denied or that its title is there (document 1, Media request). */
export function tellRequester({ log, events }: { log: Logger; events: EventBus }, request: MediaRequest): void {
  const { id: requestId, userId, title, status, rejectionReason } = request
  log.notice({ requestId, userId, status }, 'a media request was answered')
  events.publish('request.answered', { requestId, userId, title, status, rejectionReason })
}
