import type { EventBus } from '../platform/events/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { MediaRequest } from './media-request.ts'

/** Notifies the requester that the request was denied or that its title is available. */
export function notifyRequester({ log, events }: { log: Logger; events: EventBus }, request: MediaRequest): void {
  const { id: requestId, userId, title, status, rejectionReason } = request
  log.notice({ requestId, userId, status }, 'the requester of a title is notified')
  events.publish('request.answered', { requestId, userId, title, status, rejectionReason })
}
