import { z } from 'zod'
import type { Logger } from '../../platform/logging/index.ts'

const Line = z.looseObject({
  level: z.enum([
    'debug',
    'info',
    'notice',
    'warning',
    'error',
    'critical',
    'alert',
    'emergency',
    'trace',
    'warn',
    'fatal',
  ]),
  time: z.string(),
  msg: z.string().default(''),
})

/** Writes a log line of another thread to this thread's log, which adds the time and handles the files. */
export function forwardLogLine(log: Logger, line: string): void {
  const { level, time: _time, msg, ...facts } = Line.parse(JSON.parse(line))
  log[level](facts, msg)
}
