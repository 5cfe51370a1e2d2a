import { setTimeout as pause } from 'node:timers/promises'
import * as Flags from '@oclif/core/flags'
import type { ServerStatus } from '../core/server-status/index.ts'
import { serverStatusView } from '../core/views/index.ts'
import { BaseCommand } from './_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from './_support/exit-codes.ts'
import { describeStatus } from './_support/output/describe-status.ts'

const INTERVAL_MILLISECONDS = 2000

/** Moves the cursor to the top and clears the screen (ECMA-48: CUP, ED). */
const CLEAR = '\u001B[H\u001B[2J'

export default class Status extends BaseCommand {
  static override summary = 'Show what the server does: its process, jobs, sessions, catalogue and disk.'
  static override description =
    'Reads the database and the data directory, so it also works without a running server. --watch repeats it every 2 s until Ctrl-C.'
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status --watch',
    '<%= config.bin %> status --json',
  ]
  static override flags = { watch: Flags.boolean({ summary: 'Repeat every 2 s; not with --json.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(Status)
    const isWatched = flags.watch && !this.jsonEnabled()
    const status = await this.withServices(async (services, { signal }) => {
      const { readServerStatus } = await import('../core/server-status/index.ts')
      let last = await readServerStatus(services)
      while (isWatched && !signal.aborted) {
        this.show(last)
        await pause(INTERVAL_MILLISECONDS, undefined, { signal })
        last = await readServerStatus(services)
      }
      return last
    })
    return this.finish({ result: serverStatusView(status), text: describeStatus(status) })
  }

  private show(status: ServerStatus): void {
    const isTerminal = this.output.width('stdout') !== undefined
    this.output.result(isTerminal ? `${CLEAR}${describeStatus(status)}` : `${describeStatus(status)}\n`)
  }
}
