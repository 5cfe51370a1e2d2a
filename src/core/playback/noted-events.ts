import type { Connection, Database } from '../platform/database/index.ts'
import type { EventBus, Events } from '../platform/events/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** Events for plugins that a transaction causes. */
export type NotedEvents = Events['plugin.event'][]

export type PlayDependencies = {
  db: Database
  clock: Clock
  /** The event bus; absent in processes that run no plugins. */
  events?: Pick<EventBus, 'publish'> | undefined
}

/** Runs a transaction and publishes the events that it has noted, once it is committed. A repeated transaction notes them again. */
export async function notingEvents<Result>(
  { db, events }: Omit<PlayDependencies, 'clock'>,
  work: (connection: Connection, noted: NotedEvents) => Promise<Result>,
): Promise<Result> {
  let noted: NotedEvents = []
  const result = await db.transaction((connection) => {
    noted = []
    return work(connection, noted)
  })
  for (const event of noted) events?.publish('plugin.event', event)
  return result
}
