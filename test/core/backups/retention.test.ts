import t from 'tap'
import { findBackupsToKeep, type RetentionRules } from '../../../src/core/backups/retention/retention.ts'

function kept(times: readonly string[], rules: RetentionRules): string[] {
  const backups = times.map((time) => ({
    createdAt: new Date(time.replace('!', '')),
    state: time.endsWith('!') ? 'damaged' : 'valid',
    time,
  }))
  return [...findBackupsToKeep(backups, rules)].map(({ time }) => time).toSorted()
}

void t.test('the newest backups are kept, in any order of the list', async (t) => {
  const times = ['2026-01-02T00:00:00Z', '2026-01-04T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z']
  t.strictSame(kept(times, { last: 2 }), ['2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z'])
  t.strictSame(kept(times, { last: 9 }), times.toSorted())
})

void t.test('the newest of each day is kept, and days without a backup do not count', async (t) => {
  const times = ['2026-01-05T23:59:59Z', '2026-01-05T00:00:00Z', '2026-01-01T12:00:00Z', '2025-12-31T23:59:59Z']
  t.strictSame(kept(times, { daily: 2 }), ['2026-01-01T12:00:00Z', '2026-01-05T23:59:59Z'])
})

void t.test('weeks begin on Monday, also over the end of a year', async (t) => {
  // 2025-12-29 is a Monday, 2026-01-04 the Sunday of the same ISO week.
  const times = ['2026-01-05T00:00:00Z', '2026-01-04T23:59:59Z', '2025-12-29T00:00:00Z', '2025-12-28T23:59:59Z']
  t.strictSame(kept(times, { weekly: 3 }), ['2025-12-28T23:59:59Z', '2026-01-04T23:59:59Z', '2026-01-05T00:00:00Z'])
})

void t.test('months, and the union of rules', async (t) => {
  const times = ['2026-03-31T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-28T00:00:00Z', '2026-01-31T00:00:00Z']
  t.strictSame(kept(times, { monthly: 2 }), ['2026-02-28T00:00:00Z', '2026-03-31T00:00:00Z'])
  t.strictSame(kept(times, { monthly: 1, last: 2 }), ['2026-03-01T00:00:00Z', '2026-03-31T00:00:00Z'])
})

void t.test('damaged backups neither count nor go, and the newest valid one stays', async (t) => {
  const times = ['2026-01-04T00:00:00Z!', '2026-01-03T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z!']
  t.strictSame(kept(times, { last: 1 }), ['2026-01-01T00:00:00Z!', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z!'])
  t.strictSame(kept(times, {}), ['2026-01-01T00:00:00Z!', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z!'])
  t.strictSame(kept([], { last: 1 }), [])
})
