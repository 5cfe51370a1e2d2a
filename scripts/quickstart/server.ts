import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { PROGRAM } from './phlix.ts'
import { waitUntilReady, type Wait } from './readiness.ts'

export type Server = {
  /**
   * Waits until the server responds, and prints why it waits.
   * @returns false when the server ended instead
   * @throws the errors of `waitUntilReady`
   */
  ready(wait: Omit<Wait, 'isRunning' | 'ended'>): Promise<boolean>
  stop(signal: NodeJS.Signals): void
  /** The exit code. */
  ended: Promise<number>
}

/**
 * Starts `phlix serve` in a separate process group: a Ctrl-C of the terminal then reaches it once, through this process, and not twice,
 * which would end it immediately.
 */
export function startServer(words: readonly string[]): Server {
  // A log line for each request would scroll the invitation out of the window.
  const env = { LOG_LEVEL: process.stderr.isTTY ? 'warning' : 'notice', ...process.env }
  const child: ChildProcess = spawn(PROGRAM, ['serve', ...words], {
    stdio: 'inherit',
    detached: true,
    env,
  })
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 1))
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    ended,
    stop: (signal) => void child.kill(signal),
    ready: async (wait) => waitUntilReady({ ...wait, isRunning, ended }),
  }
}
