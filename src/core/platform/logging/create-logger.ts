import { pino, type DestinationStream, type StreamEntry } from 'pino'
import type { Config } from '../config/index.ts'
import { CUSTOM_LEVELS, type Logger } from './logger.ts'
import { addLogFile } from './add-log-file.ts'
import type { RecentLines } from './recent-lines.ts'
import { REDACTED_PATHS } from './redaction.ts'

export type LoggerOptions = {
  /** Overrides the configured level, for `--verbose` and tests. */
  level?: string
  /** The log file gets lines from this level on, if it is lower than `level`. */
  fileLevel?: string
  /** The destination instead of stderr; for tests. */
  destination?: DestinationStream
  /** Human-readable lines instead of JSON. Default: whether stderr is a terminal. */
  pretty?: boolean
  /** A second destination that keeps the newest lines in memory. */
  recentLines?: RecentLines
}

/**
 * Creates the root logger of the process: JSON lines on stderr, formatted on a terminal, and `logs/phlix.log` when file logging is enabled.
 * Each domain uses a child logger: `log.child({ domain: 'scanning' })`.
 */
export async function createLogger(config: Config, options: LoggerOptions = {}): Promise<Logger> {
  const level = options.level ?? config.options['logging.level']
  const shownLevel = options.fileLevel === undefined ? 'trace' : level
  const streams: StreamEntry<string>[] = [{ level: shownLevel, stream: await terminalStream(options) }]
  if (options.recentLines !== undefined) streams.push({ level: 'trace', stream: options.recentLines })
  const levels: Record<string, number> = { ...pino.levels.values, ...CUSTOM_LEVELS }
  const multistream = pino.multistream(streams, { levels })
  const log = pino(
    {
      level: lowest(levels, [level, options.fileLevel ?? level]),
      customLevels: CUSTOM_LEVELS,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    },
    multistream,
  )
  if (config.options['logging.to_file']) await addLogFile(multistream, { config, log })
  return log
}

async function terminalStream(options: LoggerOptions): Promise<DestinationStream> {
  if (options.destination !== undefined) return options.destination
  if (!(options.pretty ?? process.stderr.isTTY)) return pino.destination({ fd: 2, sync: true })
  const { default: pretty } = await import('pino-pretty')
  return pretty({ destination: 2, sync: true, colorize: true, customLevels: CUSTOM_LEVELS, useOnlyCustomProps: false })
}

function lowest(levels: Readonly<Record<string, number>>, names: readonly [string, ...string[]]): string {
  return names.reduce((one, other) => ((levels[other] ?? 0) < (levels[one] ?? 0) ? other : one))
}
