import * as Flags from '@oclif/core/flags'
import { LOG_LEVELS, type Config } from '../../core/platform/config/index.ts'
import type { LineFilter } from '../../core/platform/logging/index.ts'
import { readTimeSpan } from '../_support/arguments/time-span.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'
import { listenForSignals } from '../_support/interruption.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'

/** The most lines that are read from the end of the files. */
const READ_LINES = 20_000

export default class LogsTail extends BaseCommand {
  static override summary = 'Print the newest lines of the log files of the server and of its database.'
  static override description =
    'The server writes log files only with logging.to_file; otherwise the service manager has its log (journalctl -u phlix). Secrets are ' +
    'removed. Each line begins with the name of its file.'
  static override examples = [
    '<%= config.bin %> logs:tail --level warning --since 2h',
    '<%= config.bin %> logs:tail --follow',
  ]
  static override flags = {
    level: Flags.string({
      options: [...LOG_LEVELS],
      helpValue: 'LEVEL',
      summary: `Lowest level: ${LOG_LEVELS.join(', ')}.`,
    }),
    since: Flags.string({
      helpValue: 'TIME',
      summary: 'Only lines since a time (2026-03-01T12:00Z) or for a span (30m, 2h, 7d).',
    }),
    lines: Flags.integer({
      min: 1,
      max: READ_LINES,
      default: 100,
      helpValue: 'NUMBER',
      summary: 'Maximum number of lines.',
    }),
    follow: Flags.boolean({ char: 'f', summary: 'Continue to print new lines until Ctrl-C; not with --json.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.config, EXIT.interrupted, EXIT.terminated]

  async run(): Promise<object> {
    const { flags } = await this.parse(LogsTail)
    const config = this.readConfig()
    const level = LOG_LEVELS.find((one) => one === flags.level)
    const filter: LineFilter = { level, since: flags.since === undefined ? undefined : readTimeSpan(flags.since) }
    const isWritten = config.options['logging.to_file']
    if (!isWritten && !this.shared.quiet && !this.jsonEnabled()) {
      this.output.message(
        'The server writes no log file (logging.to_file is off): these are at most older lines, and those of the database. ' +
          'journalctl -u phlix shows the log of a service; to_file = true in [logging] of config.toml makes a file after a restart.',
      )
    }
    const { files, lines, isTruncated } = await readLines(config, filter, flags.lines)
    if (isTruncated && lines.length < flags.lines) {
      this.warn('only the end of the log files was read: older lines that match may be missing')
    }
    if (flags.follow && !this.jsonEnabled()) {
      for (const line of lines) this.output.result(replaceControlCharacters(line))
      await this.follow(config, filter)
    }
    return this.finish({
      result: { files, lines, truncated: isTruncated, to_file: isWritten },
      text: lines.map(replaceControlCharacters).join('\n'),
    })
  }

  private async follow(config: Config, filter: LineFilter): Promise<never> {
    const { followLogFiles, isLineWanted } = await import('../../core/platform/logging/index.ts')
    const interruption = listenForSignals()
    const wanted = new Map<string, boolean>()
    for await (const { file, line } of followLogFiles({ config }, interruption.signal)) {
      const isWanted = isLineWanted(line, filter, wanted.get(file) ?? false)
      wanted.set(file, isWanted)
      if (isWanted) this.output.result(replaceControlCharacters(`[${file}] ${line}`))
    }
    throw interruption.signal.reason
  }
}

type Read = {
  files: string[]
  lines: string[]
  /** The files have older lines. */
  isTruncated: boolean
}

async function readLines(config: Config, filter: LineFilter, maxLines: number): Promise<Read> {
  const { createRecentLines, isLineWanted, tailLogFiles } = await import('../../core/platform/logging/index.ts')
  const tail = await tailLogFiles({ config, recentLines: createRecentLines() }, READ_LINES)
  // A line without a level belongs to the line before it in its file.
  const wantedOf = new Map<string, boolean>()
  const lines = tail.lines.filter((line) => {
    const end = line.indexOf('] ')
    const file = line.slice(1, end)
    const isWanted = isLineWanted(line.slice(end + 2), filter, wantedOf.get(file) ?? false)
    wantedOf.set(file, isWanted)
    return isWanted
  })
  return { files: tail.files, lines: lines.slice(-maxLines), isTruncated: tail.isTruncated || lines.length > maxLines }
}
