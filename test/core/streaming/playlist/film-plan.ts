import { makeFrameGrid } from '../../../../src/core/streaming/timeline/segment-timeline.ts'
import type { StreamPlan } from '../../../../src/core/streaming/job/stream-plan.ts'

/** The plan of a film of 20.02 s at 24000/1001 frames per second without audio tracks. */
export function filmPlan(facts: Pick<StreamPlan, 'renditions'> & Partial<StreamPlan>): StreamPlan {
  return {
    source: {
      path: '/films/a.mkv',
      root: '/films',
      sizeBytes: 1,
      modifiedAtNanoseconds: '1',
      videoStartMicroseconds: 0,
      containerStartMicroseconds: 0,
      jumps: [],
      entries: [],
      seekMarginSeconds: 0.5,
      videoStreamIndex: 0,
      isInterlaced: false,
      hdrTransfer: null,
      audioTracks: [],
    },
    startMicroseconds: 0,
    parts: [],
    grid: makeFrameGrid({ frameRate: { numerator: 24_000, denominator: 1001 }, durationSeconds: 20.02 }),
    copy: null,
    loudness: null,
    subtitles: [],
    ...facts,
  }
}
