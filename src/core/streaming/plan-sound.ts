import type { MediaItemDetail } from '../catalogue/index.ts'
import type { SubtitleTrack } from '../subtitles/index.ts'
import type { AudioTrack } from '../tracks/index.ts'
import { streamingErrors } from './errors.ts'
import { makeFrameGrid, outputFrameRate, segmentCount } from './segment-timeline.ts'
import { MAX_SEGMENTS } from './segment-name.ts'
import { audioClock, audioRendition, audioTracksOf } from './source-audio-tracks.ts'
import type { SourceFile } from './source-file.ts'
import type { StreamJob } from './stream-job.ts'
import { numberSubtitles } from './stream-subtitles.ts'

const MICROSECONDS = 1_000_000

/** Enough for every codec and container; reading twelve seconds of sound costs next to nothing. */
const SEEK_MARGIN_SECONDS = 12

type SoundItem = Pick<MediaItemDetail, 'streams' | 'fileSeconds' | 'container'>

type SoundPlanInput = {
  file: SourceFile
  /** One of the item's tracks; undefined where it has none. */
  played: AudioTrack | undefined
  subtitles: readonly SubtitleTrack[]
}

/**
 * The plan of a job for a file of sound alone: music, audiobooks, films whose picture is missing. Its zero is where the
 * played track begins. The grid is that of a picture of the usual rate, so that all segments are made and checked in one
 * way. Each track is a rendition, the played one first. Pure.
 * @throws AppError `not_transcodable` where there is no sound either, or more than segment names can count
 */
export function planSound(
  { streams, fileSeconds: durationSeconds, container }: SoundItem,
  { file, played, subtitles }: SoundPlanInput,
): StreamJob {
  if (played === undefined || durationSeconds === null || durationSeconds <= 0) {
    throw streamingErrors.not_transcodable({ message: 'the item has neither picture nor sound that is known' })
  }
  // Covers are attachments: this is a film of which too little is stored, and who wants a film is not served its sound.
  if (streams.some(({ type }) => type === 'video')) {
    throw streamingErrors.not_transcodable({ message: 'the picture of the item is not known well enough' })
  }
  const grid = makeFrameGrid({ frameRate: outputFrameRate(null), durationSeconds })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the sound is too long' })
  const { audioSampleRate, audioStartSeconds } = audioClock(streams, played.streamIndex)
  const startSeconds = audioStartSeconds ?? 0
  const starts = streams.map(({ index }) => audioClock(streams, index).audioStartSeconds ?? startSeconds)
  const audioTracks = audioTracksOf(
    {
      container: container ?? '',
      audioStreamIndex: played.streamIndex,
      audioCodec: played.codec,
      audioSampleRate,
      audioStartSeconds,
      videoStartSeconds: startSeconds,
    },
    streams,
  )
  const first = audioTracks.filter(({ isDefault }) => isDefault)
  const further = audioTracks.filter(({ isDefault }) => !isDefault)
  return {
    source: {
      ...file,
      videoStreamIndex: null,
      audioTracks,
      videoStartMicroseconds: Math.round(startSeconds * MICROSECONDS),
      containerStartMicroseconds: Math.round(Math.min(startSeconds, ...starts) * MICROSECONDS),
      seekMarginSeconds: SEEK_MARGIN_SECONDS,
      jumps: [],
      isInterlaced: false,
      hdrTransfer: null,
    },
    grid,
    copy: null,
    loudness: null,
    startMicroseconds: 0,
    parts: [],
    renditions: [...first, ...further].map(audioRendition),
    subtitles: numberSubtitles(subtitles),
  }
}
