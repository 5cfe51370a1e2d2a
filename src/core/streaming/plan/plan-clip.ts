import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFrameGrid } from '../timeline/segment-timeline.ts'
import type { VideoRendition } from '../job/rendition.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

/** Frame rate of the films that `MediaTools.makeClip` generates. */
const CLIP_FRAME_RATE = { numerator: 24_000, denominator: 1001 } as const

/**
 * Returns the plan of a job whose source is a generated film (`MediaTools.makeClip`) at an absolute path.
 * @throws the errors of stat(2)
 */
export async function planClip(
  path: string,
  { durationSeconds, renditions }: { durationSeconds: number; renditions: VideoRendition[] },
): Promise<StreamPlan> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  return {
    source: {
      path,
      root: dirname(path),
      sizeBytes: Number(size),
      modifiedAtNanoseconds: mtimeNs.toString(),
      videoStartMicroseconds: 0,
      containerStartMicroseconds: 0,
      seekMarginSeconds: 0.5,
      jumps: [],
      entries: [],
      videoStreamIndex: 0,
      isInterlaced: false,
      hdrTransfer: null,
      audioTracks: [
        {
          streamIndex: 1,
          snap: null,
          codec: 'aac',
          language: 'und',
          label: 'tone',
          title: null,
          channels: 1,
          isDefault: true,
        },
      ],
    },
    grid: makeFrameGrid({ frameRate: CLIP_FRAME_RATE, durationSeconds }),
    copy: null,
    loudness: null,
    startMicroseconds: 0,
    parts: [],
    subtitles: [],
    renditions,
  }
}
