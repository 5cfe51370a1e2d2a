import type { Connection } from '../platform/database/index.ts'
import type { OutboxEvent } from './outbox-event.ts'
import { insertForListeners } from './queries/waiting.ts'

/**
 * Writes down that something has happened, for every webhook and channel that wants to hear of it. Call it in the transaction in which
 * it happens: then it is told if, and only if, it happened. The daemon delivers it, whichever process wrote it.
 */
export async function enqueueEvent(connection: Connection, facts: OutboxEvent, now: Date): Promise<void> {
  await insertForListeners(connection, { facts, now })
}
