import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from './phlix.ts'

const EXIT_UNAVAILABLE = 69
const FIRST_PAUSE_MILLISECONDS = 100
const MAX_PAUSE_MILLISECONDS = 2000
const REPORT_MILLISECONDS = 5000
const LIMIT_SECONDS = 300

export type Wait = {
  /** Of the server, as `http://localhost:8096`. */
  address: string
  say: (line: string) => void
  /** Called after each answer that the server is not ready. Throws when waiting is of no use. */
  onNotReady: () => void
  isRunning: () => boolean
  /** Resolves when the server has ended. */
  ended: Promise<unknown>
  limitSeconds?: number
}

/**
 * Waits until /readyz answers 200, five minutes at most, and says every few seconds what is missing.
 * @returns false when the server ended instead
 * @throws CommandFailure with exit code 69 when the limit is over, and what `onNotReady` throws
 */
export async function waitUntilReady(wait: Wait): Promise<boolean> {
  const { address, say, onNotReady, isRunning, ended, limitSeconds = LIMIT_SECONDS } = wait
  const startedAt = performance.now()
  let reportedAt = startedAt
  let pauseMilliseconds = FIRST_PAUSE_MILLISECONDS
  while (isRunning()) {
    const reason = await notReadyBecause(address)
    if (reason === undefined) return true
    onNotReady()
    const now = performance.now()
    const elapsedSeconds = (now - startedAt) / 1000
    if (elapsedSeconds > limitSeconds) {
      const message = `The server is not ready after ${limitSeconds} s: ${reason}.`
      throw new CommandFailure({ code: 'not_ready', message, exit: EXIT_UNAVAILABLE })
    }
    if (now - reportedAt > REPORT_MILLISECONDS) {
      reportedAt = now
      say(`  still waiting for the server, for ${Math.round(elapsedSeconds)} s: ${reason}`)
    }
    await Promise.race([sleep(pauseMilliseconds), ended])
    pauseMilliseconds = Math.min(1.5 * pauseMilliseconds, MAX_PAUSE_MILLISECONDS)
  }
  return false
}

/** @returns what /readyz says is missing; undefined when nothing is */
async function notReadyBecause(address: string): Promise<string | undefined> {
  try {
    const reply = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(MAX_PAUSE_MILLISECONDS) })
    if (reply.ok) return undefined
    const { missing = [] } = (await reply.json()) as { missing?: string[] }
    return missing.join(', ') || `it answers ${reply.status}`
  } catch {
    return `${address} does not answer`
  }
}
