import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { EventBus } from '../../platform/events/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { readEventName, type HookEventName } from '../manifest/hook-events.ts'
import type { HookEvent, HookPayload } from './hook-event.ts'
import { selectChangedItems } from './queries.ts'

export type ForwardServices = { db: Database; clock: Clock; log: Logger; events: Pick<EventBus, 'subscribe'> }

/** The host of the plugins, as far as events are concerned. */
export type PluginEventReceiver = {
  publish: (event: HookEvent) => void
  /** Whether a plugin subscribes to an event. */
  isWanted: (name: HookEventName) => boolean
}

/** Maximum number of added and of changed items whose events one scan sends. */
const MAX_ITEMS = 100

/**
 * Passes the events of this process on to plugins.
 * @returns ends that
 */
export function forwardEvents(
  { db, clock, log, events }: ForwardServices,
  { publish, isWanted }: PluginEventReceiver,
): () => void {
  const send = (name: HookEventName, payload: HookPayload): void => publish({ name, payload, occurredAt: clock.now() })

  async function sendItemEvents(jobId: string): Promise<void> {
    if (!isWanted('library.item.added') && !isWanted('library.item.updated')) return
    const { added, updated } = await selectChangedItems(db, { jobId, limit: MAX_ITEMS })
    for (const item of added) send('library.item.added', item)
    for (const item of updated) send('library.item.updated', { ...item, changedFields: [] })
  }

  const ends = [
    events.subscribe('plugin.event', ({ name, payload }) => {
      const known = readEventName(name)
      if (known !== undefined) send(known, payload)
    }),
    events.subscribe('library.updated', ({ scanJobId }) => {
      sendItemEvents(scanJobId).catch((error: unknown) => {
        log.warning({ reason: describeError(error) }, 'reading the changed items for plugins failed')
      })
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
