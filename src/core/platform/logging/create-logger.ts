import { pino, type DestinationStream, type Logger as PinoLogger, type StreamEntry } from 'pino'
import type { Config } from '../config/index.ts'
import { addLogFile } from './add-log-file.ts'
import type { RecentLines } from './recent-lines.ts'
import { REDACTED_PATHS } from './redaction.ts'

/** Document 2's eight levels as pino numbers. `warn`, `fatal` and `trace` stay for libraries that call them. */
const CUSTOM_LEVELS = { notice: 35, warning: 40, critical: 60, alert: 70, emergency: 80 } as const

export type Logger = PinoLogger<keyof typeof CUSTOM_LEVELS>

export type LoggerOptions = {
  /** Overrides the configured level, for `--verbose` and tests. */
  level?: string
  /** Where lines go instead of stderr; for tests. */
  destination?: DestinationStream
  /** Human lines instead of JSON; the default is whether stderr is a terminal. */
  pretty?: boolean
  /** Keeps the newest lines too. */
  recentLines?: RecentLines
}

/**
 * The process's root logger: JSON lines on stderr, pretty on a terminal, and `logs/phlix.log` when file logging is on
 * (decisions 3.2). Children per domain: `log.child({ domain: 'scanning' })`.
 */
export async function createLogger(config: Config, options: LoggerOptions = {}): Promise<Logger> {
  const level = options.level ?? config.options['logging.level']
  const streams: StreamEntry<string>[] = [{ level: 'trace', stream: await terminalStream(options) }]
  if (options.recentLines !== undefined) streams.push({ level: 'trace', stream: options.recentLines })
  const multistream = pino.multistream(streams, { levels: { ...pino.levels.values, ...CUSTOM_LEVELS } })
  const log = pino(
    {
      level,
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
