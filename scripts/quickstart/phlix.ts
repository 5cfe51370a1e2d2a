import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

type ErrorDocument = { code: string; message: string; exit: number; hint?: string | null }

/** A failed command, with the error of its `--json` document (docs/commands.md). */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code: string
  readonly exit: number

  constructor({ code, message, exit, hint }: ErrorDocument) {
    super(typeof hint === 'string' ? `${message}\n${hint}` : message)
    this.code = code
    this.exit = exit
  }
}

/** The entry point of the command line of this checkout. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'phlix')

/** Runs one command with `--json`. Progress and logs are passed through to stderr. */
export type RunPhlix = (words: readonly string[]) => Promise<unknown>

const REMINDER_MILLISECONDS = 15_000
/**
 * Time limit in milliseconds. Migrations of a very large database may take that long; a scan takes as long as its files need, and shows its
 * progress.
 */
const LIMIT_MILLISECONDS = 60 * 60_000
const WITHOUT_LIMIT = new Set(['library:scan'])

/**
 * Runs commands. A slow command is named every 15 seconds, and ended after an hour.
 * @param shared flags for every command, for example `--data-dir`
 */
export function phlixRunner(shared: readonly string[], say: (line: string) => void): RunPhlix {
  return async (words) => {
    const [command = ''] = words
    const child = spawn(PROGRAM, [...words, ...shared, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const isLimited = !WITHOUT_LIMIT.has(command)
    const startedAt = performance.now()
    const reminder = setInterval(() => {
      if (!isLimited) return
      const elapsed = performance.now() - startedAt
      say(`  still waiting for phlix ${command}, for ${Math.round(elapsed / 1000)} s`)
      if (elapsed > LIMIT_MILLISECONDS) child.kill('SIGTERM')
    }, REMINDER_MILLISECONDS)
    try {
      const closed = once(child, 'close')
      const printed = await text(child.stdout)
      const [exit] = (await closed) as [number | null]
      return readReply(printed, { exit: exit ?? 1, command })
    } finally {
      clearInterval(reminder)
    }
  }
}

/** @throws CommandFailure for an error document, and if there is no document */
function readReply(printed: string, { exit, command }: { exit: number; command: string }): unknown {
  try {
    const reply = JSON.parse(printed) as { error?: ErrorDocument }
    if (reply.error === undefined) return reply
    throw new CommandFailure(reply.error)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandFailure({
      code: 'internal',
      message: `phlix ${command} ended with exit code ${exit}`,
      exit: exit || 1,
    })
  }
}
