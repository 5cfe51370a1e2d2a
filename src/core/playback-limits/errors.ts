import { defineErrors } from '../platform/errors/index.ts'

export const playbackLimitErrors = defineErrors({
  outside_hours: {
    kind: 'forbidden',
    code: 'AccessSchedule',
    title: 'Not at this time',
    doc: 'The schedule of the profile does not include this moment. `allowed_at` is the next one that it includes, or null.',
  },
  too_many_streams: {
    kind: 'limited',
    code: 'StreamLimitExceeded',
    title: 'Too many streams',
    doc: 'The account or the profile plays as many items at a time as it may, or the file needs more bandwidth than it may use.',
  },
  invalid_schedule: {
    kind: 'invalid',
    title: 'Invalid schedule',
    doc: 'A time is not between 00:00 and 23:59, a day is not one of `mon` to `sun`, the zone is unknown, or the name is not 1 to 50 characters long.',
  },
  schedule_not_found: {
    kind: 'not_found',
    title: 'Schedule not found',
    doc: 'The profile has no schedule with this id.',
  },
  too_many_schedules: {
    kind: 'conflict',
    title: 'Too many schedules',
    doc: 'A profile has at most 20 schedules.',
  },
  invalid_stream_limits: {
    kind: 'invalid',
    title: 'Invalid limits of streams',
    doc: 'A number of streams is not between 1 and 100, or a bandwidth is not between 100 and 1,000,000 kbit/s.',
  },
})
