import t from 'tap'
import { readScheduleText, scheduleText } from '../../../src/core/playback-limits/index.ts'
import { mergeSchedule, NEW_SCHEDULE } from '../../../src/core/playback-limits/schedule.ts'

const read = (text: string) => mergeSchedule(NEW_SCHEDULE, readScheduleText(text))

void t.test('schedules are read as people write them, and written in one way', (t) => {
  for (const [text, written] of [
    ['mon-fri 07:00-20:00', 'mon-fri 07:00-20:00'],
    ['sat,sun 8:00-21:30', 'sat,sun 08:00-21:30'],
    ['07:00-20:00', 'daily 07:00-20:00'],
    ['daily 0:00-24:00 Europe/Berlin', 'daily 00:00-24:00 Europe/Berlin'],
    ['FRI-MON  20:00-06:00', 'mon,fri-sun 20:00-06:00'],
    ['mon-wed,sat 01:00-02:00', 'mon-wed,sat 01:00-02:00'],
  ] as const) {
    t.equal(scheduleText(read(text)), written, text)
    t.equal(scheduleText(read(written)), written, `${written} again`)
  }
  t.equal(scheduleText({ ...read('daily 07:00-20:00'), isActive: false, days: [] }), 'on no day 07:00-20:00 (off)')
  t.end()
})

void t.test('what is no schedule is refused with the reason and examples', (t) => {
  for (const [text, reason] of [
    ['mon-fri', /is no schedule$/],
    ['', /is no schedule$/],
    ['mon 07:00 - 20:00', /is no schedule$/],
    ['mon-fri 7-20', /"7" is no time such as 17:30/],
    ['mon-fri 07:00-25:00', /"25:00" is no time/],
    ['someday 07:00-20:00', /days are mon, tue/],
    ['mon- 07:00-20:00', /days are mon, tue/],
    ['07:00-20:00 Mars/Crater', /no time zone such as Europe\/Berlin/],
  ] as const) {
    t.throws(
      () => readScheduleText(text),
      { code: 'invalid_schedule', message: reason, hint: /mon-fri 07:00-20:00/ },
      text,
    )
  }
  t.end()
})
