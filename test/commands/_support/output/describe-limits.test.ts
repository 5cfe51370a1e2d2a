import t from 'tap'
import { describeLimits } from '../../../../src/commands/_support/output/describe-limits.ts'
import { EVERYTHING, type AccessRule } from '../../../../src/core/access/index.ts'

const libraryNames = new Map(['f', 'e', 'd', 'c', 'b', 'a'].map((id) => [id, id.toUpperCase()]))
const free = { libraryNames, streams: { maxStreams: null, maxKbps: null }, hours: [], mayDownload: true }
const describe = (access: Partial<AccessRule>) => describeLimits({ ...free, access: { ...EVERYTHING, ...access } })

void t.test('limits are described in words, libraries by their names', (t) => {
  t.equal(describe({}), 'everything')
  t.equal(describe({ libraryIds: [] }), 'no library')
  t.equal(describe({ libraryIds: ['a'] }), '1 library (A)')
  t.equal(
    describe({ libraryIds: ['b', 'a', 'gone'], maxAge: 12 }),
    '3 libraries (A, B, 1 more), up to 12, unrated hidden',
  )
  t.equal(describe({ libraryIds: [...libraryNames.keys()] }), '6 libraries (B, C, D, E, F, 1 more)')
  t.equal(describe({ blockedTags: ['gore'], allowedTags: [['kids', 'family']] }), 'without gore, only kids or family')
  const streams = { maxStreams: 1, maxKbps: null }
  const hours = ['mon-fri 07:00-20:00', 'sat 08:00-21:00']
  t.equal(
    describeLimits({ ...free, access: EVERYTHING, streams, hours, mayDownload: false }),
    'everything, at most 1 stream, plays only mon-fri 07:00-20:00 and sat 08:00-21:00, no downloads',
  )
  t.end()
})
