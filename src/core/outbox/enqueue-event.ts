import type { Connection } from '../platform/database/index.ts'
import type { OutboxEvent } from './outbox-event.ts'
import { insertDeliveriesForSubscribers } from './queries/waiting-deliveries.ts'

/**
 * Stores an event for every webhook and channel that subscribes to it. Call it in the transaction of the change, so that the event is
 * delivered if and only if the change was committed. The daemon delivers it, whichever process stored it.
 */
export async function enqueueEvent(connection: Connection, facts: OutboxEvent, now: Date): Promise<void> {
  await insertDeliveriesForSubscribers(connection, { facts, now })
}
