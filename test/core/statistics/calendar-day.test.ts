import t from 'tap'
import { addDays, parseUtcDay } from '../../../src/core/statistics/calendar-day.ts'

const now = new Date('2026-03-31T23:30:00.000Z')
const read = (text: string): string => parseUtcDay(text, { field: 'since', now })

void t.test('dates and relative times name a day in UTC', (t) => {
  for (const [text, day] of [
    ['2026-01-31', '2026-01-31'],
    [' 2024-02-29 ', '2024-02-29'],
    ['2026-01-31T23:59:59Z', '2026-01-31'],
    ['2026-01-31T23:30:00-01:00', '2026-02-01'],
    ['2026-01-31 00:30:00+01:00', '2026-01-30'],
    ['2026-01-31 12:00', '2026-01-31'],
    ['now', '2026-03-31'],
    ['Today', '2026-03-31'],
    ['yesterday', '2026-03-30'],
    ['-30 days', '2026-03-01'],
    ['-1 day', '2026-03-30'],
    ['30 days ago', '2026-03-01'],
    ['-2 weeks', '2026-03-17'],
    ['-1 month', '2026-02-28'],
    ['-13 MONTHS', '2025-02-28'],
    ['-1 year', '2025-03-31'],
    ['+1 hour', '2026-04-01'],
    ['1 hour', '2026-04-01'],
    ['-24 hours', '2026-03-30'],
    ['-0 days', '2026-03-31'],
  ] as const) {
    t.equal(read(text), day, text)
  }
  t.equal(addDays('2026-02-28', 1), '2026-03-01')
  t.end()
})

void t.test('any other text is refused with the name of its field', (t) => {
  const wrong = [
    '',
    'x',
    'toString',
    '__proto__',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '2026-01-01T25:00',
    '20260101',
    '-30',
    'days',
    '-30 fortnights',
    '-999999 years',
    '+999999 months',
    '-9999999 days',
    '0000-01-01',
    '+010000-01-01',
    '9999-12-31T23:59:59-10:00',
    "2026-01-01'; drop table users",
    '1'.repeat(10_000),
    ' '.repeat(10_000) + 'x',
  ]
  for (const text of wrong) {
    t.throws(() => read(text), { code: 'invalid_request', details: { field: 'since' } }, text.slice(0, 40))
  }
  t.end()
})
