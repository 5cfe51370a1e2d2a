import type { Logger } from '../platform/logging/index.ts'
import type { Clock } from '../platform/time/index.ts'

/** What is known about the connection to the hub. It writes one line to the log for each change between open, down and off. */
export type TunnelState = {
  up(serverId: string): void
  /** There is no tunnel, and the next attempt follows. */
  down(reason: string): void
  /** No tunnel is wanted. */
  off(): void
  /** The tunnel was stable, or ended as announced. */
  forgetFailures(): void
  /** A tunnel has ended. */
  disconnected(): void
  read(): TunnelFacts
}

export type TunnelFacts = {
  /** Whether no tunnel is wanted. */
  isOff: boolean
  /** Failed attempts since the last stable tunnel. */
  failures: number
  lastError: string | null
  lastErrorAt: Date | null
  disconnectedAt: Date | null
}

export function createTunnelState({ clock, log }: { clock: Clock; log: Logger }): TunnelState {
  const facts: TunnelFacts = { isOff: false, failures: 0, lastError: null, lastErrorAt: null, disconnectedAt: null }
  let noted: 'up' | 'down' | 'off' = 'off'

  function note(next: typeof noted, write: () => void): void {
    facts.isOff = next === 'off'
    if (next !== noted) write()
    noted = next
  }

  return {
    up: (serverId) => note('up', () => log.notice({ serverId }, 'the tunnel to the hub is open')),
    down(reason) {
      Object.assign(facts, { failures: facts.failures + 1, lastError: reason, lastErrorAt: clock.now() })
      note('down', () => log.warning({ reason }, 'there is no tunnel to the hub; the server tries again'))
    },
    off: () => note('off', () => log.notice('the tunnel to the hub is off')),
    forgetFailures: () => void (facts.failures = 0),
    disconnected: () => void (facts.disconnectedAt = clock.now()),
    read: () => ({ ...facts }),
  }
}
