import t from 'tap'
import { findContinuingTrack } from '../../../src/core/subtitles/find-continuing-track.ts'
import type { SubtitleTrack } from '../../../src/core/subtitles/subtitle-track.ts'

const track = (index: number, facts: Partial<SubtitleTrack>): SubtitleTrack => ({
  id: `${index}`,
  index,
  streamIndex: index,
  codec: 'subrip',
  language: 'en',
  label: `${index}`,
  title: null,
  source: 'embedded',
  isDefault: false,
  isForced: false,
  isHearingImpaired: false,
  path: null,
  ...facts,
})

const forced = { isForced: true }
const impaired = { isHearingImpaired: true }

void t.test('a track continues with that of its language and kind, regardless of the order', (t) => {
  const own = [track(0, {}), track(1, forced), track(2, impaired), track(3, { language: 'de' }), track(4, {})]
  const other = [track(0, { language: 'de' }), track(1, {}), track(2, impaired), track(3, forced)]
  const next = (index: number) => findContinuingTrack(own[index] ?? track(9, {}), own, other)?.index
  t.equal(next(0), 1)
  t.equal(next(1), 3)
  t.equal(next(2), 2)
  t.equal(next(3), 0)
  t.equal(next(4), undefined, 'a second one of a language, of which the other file has one')
  t.equal(findContinuingTrack(track(0, {}), [track(0, {})], [track(0, forced)]), undefined)
  t.equal(findContinuingTrack(track(0, {}), [track(0, {})], [track(5, impaired)])?.index, 5)
  t.equal(findContinuingTrack(track(0, {}), [track(0, {})], []), undefined)
  t.end()
})
