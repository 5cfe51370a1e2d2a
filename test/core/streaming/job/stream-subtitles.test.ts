import t from 'tap'
import { visibleSubtitles, assignSubtitleNumbers } from '../../../../src/core/streaming/job/stream-subtitles.ts'
import type { SubtitleTrack } from '../../../../src/core/subtitles/index.ts'

function track(index: number, which: { streamIndex?: number; path?: string }): SubtitleTrack {
  return {
    id: `${index}`,
    index,
    streamIndex: which.streamIndex ?? null,
    path: which.path ?? null,
    codec: 'srt',
    language: 'und',
    label: `Subtitles ${index}`,
    title: null,
    source: which.path === undefined ? 'embedded' : 'external',
    isDefault: false,
    isForced: false,
    isHearingImpaired: false,
  }
}

const numbersOf = (subtitles: ReturnType<typeof assignSubtitleNumbers>) =>
  subtitles.map(({ index, streamIndex, path, isGone }) => [streamIndex ?? path, index, isGone])

void t.test('a new job uses the item’s track numbers, and keeps them when tracks are added or removed', (t) => {
  const first = assignSubtitleNumbers([track(1, { streamIndex: 3 }), track(2, { path: '/b.srt' })])
  t.strictSame(numbersOf(first), [
    [3, 1, false],
    ['/b.srt', 2, false],
  ])
  const second = assignSubtitleNumbers(
    [track(1, { streamIndex: 3 }), track(2, { path: '/a.srt' }), track(3, { path: '/b.srt' })],
    first,
  )
  t.strictSame(numbersOf(second), [
    [3, 1, false],
    ['/a.srt', 3, false],
    ['/b.srt', 2, false],
  ])
  const third = assignSubtitleNumbers([track(1, { streamIndex: 3 }), track(2, { path: '/b.srt' })], second)
  t.strictSame(numbersOf(third), [
    [3, 1, false],
    ['/b.srt', 2, false],
    ['/a.srt', 3, true],
  ])
  t.strictSame(
    visibleSubtitles({ subtitles: third }).map(({ index }) => index),
    [1, 2],
  )
  const fourth = assignSubtitleNumbers([track(0, { path: '/c.srt' }), track(1, { path: '/a.srt' })], third)
  t.strictSame(numbersOf(fourth), [
    ['/c.srt', 4, false],
    ['/a.srt', 3, false],
    [3, 1, true],
    ['/b.srt', 2, true],
  ])
  t.end()
})

void t.test('a job that started without subtitles uses the item’s track numbers', (t) => {
  t.strictSame(numbersOf(assignSubtitleNumbers([track(2, { path: '/a.srt' })], assignSubtitleNumbers([]))), [
    ['/a.srt', 2, false],
  ])
  t.end()
})
