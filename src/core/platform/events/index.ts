export { createEventBus, type EventBus } from './event-bus.ts'
export type { Events } from './event-types.ts'
