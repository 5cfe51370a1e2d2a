import * as Flags from '@oclif/core/flags'
import type { ScheduleFields, StreamLimits } from '../../../core/playback-limits/index.ts'
import { commandErrors } from '../errors.ts'
import { checkExclusive } from './exclusive-flags.ts'

type NumberOptions = { min: number; max: number; example: number; helpValue: string; summary: string }

/** A flag with a whole number, whose error has an example. */
function numberFlag({ min, max, example, ...help }: NumberOptions) {
  return Flags.custom<number>({
    ...help,
    parse: async (text, _context, { name }) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined
      if (number !== undefined && number >= min && number <= max) return number
      throw commandErrors.usage({
        message: `--${name} must be a whole number from ${min} to ${max}`,
        hint: `for example --${name} ${example}`,
      })
    },
  })()
}

/** Flags that limit how much is played at a time, and when. */
export const playLimitFlags = {
  'max-streams': numberFlag({
    min: 1,
    max: 100,
    example: 2,
    helpValue: 'NUMBER',
    summary: 'Play at most this many items at a time, for example 2.',
  }),
  'max-bandwidth': numberFlag({
    min: 100,
    max: 1_000_000,
    example: 8000,
    helpValue: 'KBPS',
    summary: 'Highest bandwidth of all streams together in kbit/s, for example 8000.',
  }),
  schedule: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'TIMES',
    summary:
      'Play only in these times, for example "mon-fri 07:00-20:00"; repeat it for several. Replaces earlier schedules. "daily" is every ' +
      'day; an end before the start is on the next day; the times are of the clock of the server, unless a zone such as Europe/Berlin follows.',
  }),
}

/** Flags that remove these limits. */
export const playLimitRemovalFlags = {
  'no-max-streams': Flags.boolean({ summary: 'Remove the limit of streams.' }),
  'no-max-bandwidth': Flags.boolean({ summary: 'Remove the limit of bandwidth.' }),
  'no-schedules': Flags.boolean({ summary: 'Remove all schedules: play at any time.' }),
}

type Given = {
  'max-streams'?: number | undefined
  'max-bandwidth'?: number | undefined
  schedule?: string[] | undefined
} & Partial<Record<keyof typeof playLimitRemovalFlags, boolean>>

/** What flags say about playing; undefined schedules stay. */
export type PlayLimitChanges = { streams: Partial<StreamLimits>; schedules: readonly ScheduleFields[] | undefined }

/**
 * The limits of playing that flags set or remove.
 * @throws AppError `usage` for a limit that is set and removed; `invalid_schedule`, `too_many_schedules`
 */
export async function readPlayLimits(flags: Given): Promise<PlayLimitChanges> {
  const { 'max-streams': maxStreams, 'max-bandwidth': maxKbps, schedule } = flags
  const isRemoved = (name: keyof typeof playLimitRemovalFlags): boolean => flags[name] === true
  checkExclusive(isRemoved('no-max-streams') && maxStreams !== undefined, '--no-max-streams', '--max-streams')
  checkExclusive(isRemoved('no-max-bandwidth') && maxKbps !== undefined, '--no-max-bandwidth', '--max-bandwidth')
  checkExclusive(isRemoved('no-schedules') && schedule !== undefined, '--no-schedules', '--schedule')
  return {
    streams: {
      ...(maxStreams !== undefined && { maxStreams }),
      ...(maxKbps !== undefined && { maxKbps }),
      ...(isRemoved('no-max-streams') && { maxStreams: null }),
      ...(isRemoved('no-max-bandwidth') && { maxKbps: null }),
    },
    schedules: isRemoved('no-schedules') ? [] : schedule && (await readSchedules(schedule)),
  }
}

async function readSchedules(texts: readonly string[]): Promise<readonly ScheduleFields[]> {
  const { checkSchedules, readScheduleText } = await import('../../../core/playback-limits/index.ts')
  const schedules = texts.map(readScheduleText)
  checkSchedules(schedules)
  return schedules
}
