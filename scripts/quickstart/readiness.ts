import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from './phlix.ts'

const EXIT_UNAVAILABLE = 69
const FIRST_PAUSE_MILLISECONDS = 100
const MAX_PAUSE_MILLISECONDS = 2000
const REPORT_MILLISECONDS = 5000
const LIMIT_SECONDS = 300

export type Wait = {
  /** Base URL of the server, for example `http://localhost:8096`. */
  address: string
  say: (line: string) => void
  /** Called after each response that the server is not ready. It throws when further waiting is useless. */
  onNotReady: () => void
  isRunning: () => boolean
  /** Resolves when the server has ended. */
  ended: Promise<unknown>
  limitSeconds?: number
}

/**
 * Waits until /readyz responds with 200, five minutes at most, and prints every few seconds what is missing.
 * @returns false when the server ended instead
 * @throws CommandFailure with exit code 69 after the time limit, and the errors of `onNotReady`
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

/** @returns the reasons in the response of /readyz; undefined if there are none */
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
