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

/** Says a line of another thread's log in the log of this one, where it gets its place among the files and its time. */
export function forwardLine(log: Logger, line: string): void {
  const { level, time: _time, msg, ...facts } = Line.parse(JSON.parse(line))
  log[level](facts, msg)
}
