import { describeError } from './platform/errors/index.ts'
import type { Logger } from './platform/logging/index.ts'

/** Resources to be closed in reverse order of opening. */
export type Closers = {
  /** Registers the close function of a resource that was just opened. */
  add(name: string, close: () => Promise<void>): void
  /** Closes all, last opened first. A failure is logged and does not stop the others. Later calls wait for the first. */
  closeAll(): Promise<void>
}

/** Creates the list of a process's open resources. */
export function createClosers(log: Logger): Closers {
  const open: { name: string; close: () => Promise<void> }[] = []
  let closing: Promise<void> | undefined

  async function closeInReverse(): Promise<void> {
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
    closeAll: () => (closing ??= closeInReverse()),
  }
}
