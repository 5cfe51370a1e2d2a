import t from 'tap'
import {
  BOUNDARY_SAMPLE_RATE,
  BOUNDARY_WINDOW_SECONDS,
} from '../../../../src/core/analysis/boundaries/refine-shared-sound-boundary.ts'
import { estimateMarkerBoundary } from '../../../../src/core/analysis/season/estimate-marker-boundary.ts'

/** Sound around an edge at 100 s, silent between two times of the film. */
const around = (silentFrom: number, silentTo: number): Float32Array =>
  Float32Array.from({ length: BOUNDARY_WINDOW_SECONDS * BOUNDARY_SAMPLE_RATE }, (_, index) => {
    const seconds = 100 - BOUNDARY_WINDOW_SECONDS / 2 + index / BOUNDARY_SAMPLE_RATE
    return seconds >= silentFrom && seconds < silentTo ? 0.001 : 0.5
  })

const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.02

void t.test('an edge without comparable waveform moves to a chapter within a second', async (t) => {
  t.equal(estimateMarkerBoundary(100, { side: 'start', around: undefined, chapterSeconds: [50, 99.2, 100.95] }), 99.2)
  t.equal(estimateMarkerBoundary(100, { side: 'start', around: undefined, chapterSeconds: [98.9, 101.1] }), 100)
})

void t.test('an intro begins after a silence and ends before one', async (t) => {
  const sound = around(99.8, 100.2)
  t.ok(near(estimateMarkerBoundary(100, { side: 'start', around: sound, chapterSeconds: [] }), 100.2))
  t.ok(near(estimateMarkerBoundary(100, { side: 'end', around: sound, chapterSeconds: [] }), 99.8))
})

void t.test('a silence that is short, far, or loud moves nothing', async (t) => {
  for (const sound of [around(99.95, 100.05), around(101, 102), around(0, 0)])
    t.equal(estimateMarkerBoundary(100, { side: 'start', around: sound, chapterSeconds: [] }), 100)
})
