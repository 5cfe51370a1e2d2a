export {
  deliveredResult,
  isSuccessStatus,
  parseReplyJson,
  rejectedResult,
  truncatedBodyText,
  type DeliveryHttpReply,
} from './delivery-reply.ts'
export { enqueueEvent } from './enqueue-event.ts'
export { EVENT_KINDS, LISTED_ITEMS, LISTED_TITLES, type OutboxEvent, type EventKind } from './outbox-event.ts'
export { deliverOnce, redeliver, type DeliveryDependencies } from './attempt-delivery.ts'
export type { Delivery, DeliveryRecord, AttemptResult, SendDelivery } from './delivery.ts'
export type { DeliveryTarget } from './delivery-target.ts'
export { startDeliveryDispatch } from './delivery-dispatch.ts'
export { deleteDelivery, listDeliveries, type DeliveryPage } from './list-deliveries.ts'
export { deleteTarget, insertTarget, targetColumns, targetFields, updateTarget } from './queries/targets.ts'
export { hasSubscribers } from './queries/waiting-deliveries.ts'
