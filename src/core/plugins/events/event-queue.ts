import type { HookEvent } from './hook-event.ts'

const MAX_EVENTS = 1000

/** The events that wait for one plugin in memory. Beyond 1,000 the oldest are dropped and counted. */
export class EventQueue {
  readonly #events: HookEvent[] = []
  #dropped = 0

  get dropped(): number {
    return this.#dropped
  }

  add(event: HookEvent): void {
    this.#events.push(event)
    if (this.#events.length <= MAX_EVENTS) return
    this.#events.shift()
    this.#dropped += 1
  }

  take(): HookEvent | undefined {
    return this.#events.shift()
  }
}
