import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { listenToChannel, type NotificationListener } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import { EVENT_CHANNEL } from '../queries/events.ts'
import type { DirectoryEvent } from '../relay-directory.ts'

const Event = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('server_revoked'), serverId: z.guid() }),
  z.strictObject({ kind: z.literal('access_revoked'), serverId: z.guid(), userId: z.guid() }),
  z.strictObject({ kind: z.literal('server_renewed'), serverId: z.guid(), generation: z.int() }),
  z.strictObject({ kind: z.literal('tunnel_replaced'), serverId: z.guid(), tunnelId: z.guid() }),
])

const RECONNECT_MILLISECONDS = 1000

/** The events of all processes of a hub, from the database. */
export type EventChannel = {
  onEvent(listener: (event: DirectoryEvent) => void): () => void
  close(): Promise<void>
}

/**
 * Listens for events on an own connection. After a loss of the connection it listens again, and reports `events_missed`.
 * @throws AppError `database_unavailable` if the first connection fails
 */
export async function openEventChannel(needs: { connectionUri: string; log: Logger }): Promise<EventChannel> {
  const { connectionUri, log } = needs
  const listeners = new Set<(event: DirectoryEvent) => void>()
  const closing = new AbortController()
  const publish = (event: DirectoryEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        log.error({ err: error }, 'a listener for events of the hub failed')
      }
    }
  }
  const receive = (text: string): void => {
    const parsed = Event.safeParse(parseEvent(text))
    if (parsed.success) publish(parsed.data)
    else log.warning('an event of the hub has an unknown form')
  }
  const connect = (): Promise<NotificationListener> =>
    listenToChannel({ connectionUri, channel: EVENT_CHANNEL, onMessage: receive, onLost: () => void reconnect() })

  async function reconnect(): Promise<void> {
    log.warning('the connection for events of the hub was lost')
    while (!closing.signal.aborted) {
      try {
        await pause(RECONNECT_MILLISECONDS, undefined, { signal: closing.signal })
        connection = await connect()
        if (closing.signal.aborted) return await connection.close()
        publish({ kind: 'events_missed' })
        log.notice('the connection for events of the hub is open again')
        return
      } catch (error) {
        if (!closing.signal.aborted) log.debug({ reason: describeError(error) }, 'listening for events failed')
      }
    }
  }

  let connection = await connect()
  return {
    onEvent(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closing.abort()
      await connection.close()
    },
  }
}

function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
