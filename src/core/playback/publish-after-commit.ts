import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus, Events } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** Events for plugins that a transaction causes. They are published after its commit. */
export type PendingPluginEvents = Events['plugin.event'][]

export type PlayDependencies = {
  db: Database
  clock: Clock
  /** The event bus; absent in processes that run no plugins. */
  events?: Pick<EventBus, 'publish'> | undefined
}

/** Runs a transaction and publishes the events that it has collected after its commit. A repeated transaction collects them again. */
export async function publishAfterCommit<Result>(
  { db, events }: Omit<PlayDependencies, 'clock'>,
  work: (connection: Connection, pending: PendingPluginEvents) => Promise<Result>,
): Promise<Result> {
  let pending: PendingPluginEvents = []
  const result = await db.transaction((connection) => {
    pending = []
    return work(connection, pending)
  })
  for (const event of pending) events?.publish('plugin.event', event)
  return result
}
