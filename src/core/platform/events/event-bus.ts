import type { Logger } from '../logging/index.ts'
import type { EventName, Events } from './event-types.ts'

/** Publishes events to the listeners in this process. */
export type EventBus = {
  /**
   * Calls every listener of the event synchronously. An error of a listener is logged and affects neither the other listeners nor the
   * caller.
   */
  publish<Name extends EventName>(name: Name, event: Events[Name]): void
  /** @returns a function that removes the listener */
  subscribe<Name extends EventName>(name: Name, listener: (event: Events[Name]) => void): () => void
}

type Listeners = { [Name in EventName]: Set<(event: Events[Name]) => void> }

/** Creates a bus without listeners. Events are not stored: a listener receives only events published after it subscribed. */
export function createEventBus({ log }: { log: Logger }): EventBus {
  const listeners: Listeners = {
    'account.changed': new Set(),
    'download.requested': new Set(),
    'library.updated': new Set(),
    'plugin.event': new Set(),
    'request.answered': new Set(),
  }
  return {
    publish(name, event) {
      for (const listener of listeners[name]) {
        try {
          listener(event)
        } catch (error) {
          log.error({ err: error, event: name }, 'a listener failed')
        }
      }
    },
    subscribe(name, listener) {
      listeners[name].add(listener)
      return () => void listeners[name].delete(listener)
    },
  }
}
