import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROGRAM } from './phlix.ts'

const READY_POLL_MILLISECONDS = 100

/** Whether another program listens there. Asked before anything is prepared, because nothing could be served in the end. */
export async function isPortTaken(port: number, host: string | undefined): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true
    throw error
  } finally {
    probe.close()
  }
}

/** Whether what listens there is Phlix. */
export async function isPhlix(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

export type Server = {
  /** Resolves when requests are answered. @throws never; false when the server ended instead */
  ready(address: string): Promise<boolean>
  stop(signal: NodeJS.Signals): void
  /** The exit code. */
  ended: Promise<number>
}

/**
 * Starts `phlix serve` in a process group of its own: a Ctrl-C of the terminal then reaches it once, through us, and not twice, which
 * would be the order to leave everything as it is.
 */
export function startServer(words: readonly string[]): Server {
  // A line for each request would push the invitation out of the window.
  const env = { LOG_LEVEL: 'notice', ...process.env }
  const child: ChildProcess = spawn(PROGRAM, ['serve', ...words], {
    stdio: 'inherit',
    detached: true,
    env,
  })
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 1))
  return {
    ended,
    stop: (signal) => void child.kill(signal),
    async ready(address) {
      while (child.exitCode === null && child.signalCode === null) {
        if (await answers(`${address}/readyz`)) return true
        await Promise.race([sleep(READY_POLL_MILLISECONDS), ended])
      }
      return false
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}
