import { describeError } from './platform/errors/index.ts'
import type { Logger } from './platform/logging/index.ts'

/** What was opened, to be closed in reverse order. */
export type Closers = {
  /** Registers how to close what was just opened. */
  add(name: string, close: () => Promise<void>): void
  /** Closes all, last opened first; a failing one is logged and does not stop the others. Later calls join the first. */
  closeAll(): Promise<void>
}

/** The close order of a process: one list, filled while opening, walked backwards once. */
export function createClosers(log: Logger): Closers {
  const open: { name: string; close: () => Promise<void> }[] = []
  let closing: Promise<void> | undefined

  async function walkBackwards(): Promise<void> {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      try {
        await next.close()
        log.debug({ part: next.name }, 'closed')
      } catch (error) {
        log.error({ part: next.name, reason: describeError(error) }, 'closing failed')
      }
    }
  }

  return {
    add: (name, close) => void open.push({ name, close }),
    closeAll: () => (closing ??= walkBackwards()),
  }
}
