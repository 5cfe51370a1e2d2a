import { LOG_LEVELS } from '../config/index.ts'

export type LineFilter = {
  /** The least severe level. */
  level?: (typeof LOG_LEVELS)[number] | undefined
  since?: Date | undefined
}

/** Levels of libraries that are not among the eight. */
const OTHER_LEVELS: Readonly<Record<string, (typeof LOG_LEVELS)[number]>> = {
  trace: 'debug',
  warn: 'warning',
  fatal: 'critical',
}

/** PostgreSQL writes its severity after the process id. */
const POSTGRES_LEVELS: Readonly<Record<string, (typeof LOG_LEVELS)[number]>> = {
  WARNING: 'warning',
  ERROR: 'error',
  FATAL: 'critical',
  PANIC: 'emergency',
}

/**
 * Whether a line of the log or of the database passes a filter. A line without a time or level, for example of a stack trace, is treated as
 * if it had the time and level of the line before.
 */
export function isLineWanted(line: string, filter: LineFilter, wasBeforeWanted: boolean): boolean {
  const begin = line.slice(0, 300)
  const ours = /^\{"level":"([a-z]{1,20})","time":"([^"]{1,40})"/.exec(begin)
  const postgres = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) UTC \[\d+\] (\w+):/.exec(begin)
  const level = ours === null ? (POSTGRES_LEVELS[postgres?.[3] ?? ''] ?? 'info') : levelOf(ours[1] ?? '')
  const time = ours?.[2] ?? (postgres === null ? undefined : `${postgres[1]}T${postgres[2]}Z`)
  if (time === undefined) return wasBeforeWanted
  const isSevere = filter.level === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(filter.level)
  return isSevere && (filter.since === undefined || new Date(time) >= filter.since)
}

function levelOf(name: string): (typeof LOG_LEVELS)[number] {
  return LOG_LEVELS.find((level) => level === name) ?? OTHER_LEVELS[name] ?? 'info'
}
