import t from 'tap'

type Words = {
  limitSentences: (profile: object, more: object) => string[]
  scheduleText: (schedule: object) => string
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/account/limit-words.js', import.meta.url).href
const { limitSentences, scheduleText } = (await import(path)) as Words

const FREE = { max_age: null, allow_unrated: true, can_download: true, library_ids: null }
const MORE = {
  streams: { max_concurrent_streams: null, max_total_bandwidth_kbps: null },
  libraries: [
    { id: 'a', name: 'Cartoons' },
    { id: 'b', name: 'Films' },
  ],
}

void t.test('limits of a profile are told in words', async (t) => {
  t.strictSame(limitSentences(FREE, MORE), [])
  t.strictSame(
    limitSentences(
      { max_age: 0, allow_unrated: false, can_download: false, library_ids: ['a'] },
      { ...MORE, streams: { max_concurrent_streams: 1, max_total_bandwidth_kbps: 2500 } },
    ),
    [
      'Films and series for all ages.',
      'Nothing without an age rating.',
      'Only Cartoons.',
      'No downloads.',
      'At most one title at a time.',
      'At most 2.5 Mbit/s.',
    ],
  )
  t.strictSame(limitSentences({ ...FREE, max_age: 12, library_ids: [] }, MORE), [
    'Films and series up to 12 years.',
    'No library.',
  ])
})

void t.test('times of a profile are told in words', async (t) => {
  const time = { start_time: '17:00', end_time: '19:30', time_zone: null, is_active: true }
  // The clock of the language in which the test runs: with AM and PM, or with 24 hours.
  const [start, end] = [17 * 60, 19 * 60 + 30].map((minutes) =>
    new Date(2001, 0, 1, 0, minutes).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' }),
  )
  t.equal(
    scheduleText({ ...time, days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }),
    `Every day, ${start} to ${end}`,
  )
  t.equal(
    scheduleText({ ...time, days_of_week: ['sat', 'sun'], time_zone: 'Pacific/Apia', is_active: false }),
    `Saturday, Sunday, ${start} to ${end} (Pacific/Apia, switched off)`,
  )
})
