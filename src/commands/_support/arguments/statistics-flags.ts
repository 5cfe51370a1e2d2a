import * as Flags from '@oclif/core/flags'
import { commandErrors } from '../errors.ts'

/** Flag that selects the value of the bars. */
export const chartFlag = (defaultValue: 'plays' | 'time') =>
  Flags.option({ options: ['plays', 'time'] as const, default: defaultValue, summary: 'Unit of the bars.' })()

export const daysFlag = Flags.integer({
  min: 1,
  max: 3660,
  helpValue: 'NUMBER',
  summary: 'Only the last NUMBER days and today.',
})

export const plainFlag = Flags.boolean({ summary: 'Tab-separated, without a header or bars.' })

/** Flags of top lists. */
export const topFlags = {
  days: daysFlag,
  since: Flags.string({
    helpValue: 'TIME',
    summary: 'Only since a date or a time span such as "-3 months".',
  }),
  limit: Flags.integer({ min: 1, max: 100, default: 10, helpValue: 'NUMBER', summary: 'Maximum number of rows.' }),
  plain: plainFlag,
}

/**
 * Reads the start of the period from the flags --days and --since, in the form that the core accepts.
 * @throws AppError `usage` when both are given
 */
export function readPeriodStart({
  days,
  since,
}: {
  days?: number | undefined
  since?: string | undefined
}): string | undefined {
  if (days === undefined) return since
  if (since !== undefined) throw commandErrors.usage({ message: 'Give only one of --days and --since' })
  return `-${days} days`
}
