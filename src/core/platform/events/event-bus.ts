import type { Logger } from '../logging/index.ts'
import type { EventName, Events } from './event-types.ts'

/** Tells what has happened to whoever listens in this process. */
export type EventBus = {
  /** Calls every listener of the event at once; one that throws is logged and disturbs neither the others nor the caller. */
  publish<Name extends EventName>(name: Name, event: Events[Name]): void
  /** @returns how to stop listening */
  subscribe<Name extends EventName>(name: Name, listener: (event: Events[Name]) => void): () => void
}

type Listeners = { [Name in EventName]: Set<(event: Events[Name]) => void> }

/** A bus without listeners. Nothing is kept: who subscribes later does not hear what was said before. */
export function createEventBus({ log }: { log: Logger }): EventBus {
  const listeners: Listeners = {
    'account.changed': new Set(),
    'library.updated': new Set(),
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
