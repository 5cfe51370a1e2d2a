import { readdirSync } from 'node:fs'

/** What a process of `bench/relay.ts` holds. */
export type Probe = {
  requests: number
  cancelled: number
  residentBytes: number
  /** Objects and buffers that are in use. */
  heldBytes: number
  timers: number
  descriptors: number
  /** Seconds of processor time since its start. */
  processorSeconds: number
}

/** Answers each message of the parent process with a probe, after a collection of garbage if the message is `collect`. */
export function answerProbes(requests: () => number, cancelled = () => 0): void {
  process.on('message', (message) => {
    if (message === 'collect') globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const probe: Probe = {
      requests: requests(),
      cancelled: cancelled(),
      residentBytes: rss,
      heldBytes: heapUsed + external,
      timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
      descriptors: readdirSync('/proc/self/fd').length,
      processorSeconds: (user + system) / 1e6,
    }
    process.send?.(probe)
  })
}
