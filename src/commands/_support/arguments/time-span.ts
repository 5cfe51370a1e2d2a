import { systemClock, type Clock } from '../../../core/platform/time/index.ts'
import { commandErrors } from '../errors.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/**
 * The time that a text means: an ISO 8601 time, or a span before now (`30m`, `2h`, `7d`).
 * @throws AppError `usage`
 */
export function readTimeSpan(text: string, clock: Pick<Clock, 'now'> = systemClock): Date {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return new Date(clock.now().getTime() - Number(count) * (UNIT_SECONDS[unit] ?? 0) * 1000)
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]{2,12}(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? new Date(text) : undefined
  if (time !== undefined && !Number.isNaN(time.getTime())) return time
  throw commandErrors.usage({ message: 'The time must be like 2026-03-01T12:00Z, or a span like 30m, 2h or 7d' })
}
