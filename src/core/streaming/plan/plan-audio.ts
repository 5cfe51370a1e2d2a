import type { MediaItemDetail } from '../../catalogue/index.ts'
import type { SubtitleTrack } from '../../subtitles/index.ts'
import type { AudioTrack } from '../../tracks/index.ts'
import { streamingErrors } from '../errors.ts'
import { makeFrameGrid, outputFrameRate, segmentCount } from '../timeline/segment-timeline.ts'
import { MAX_SEGMENTS } from '../job/segment-name.ts'
import { audioClock, audioRendition, sourceAudioTracks } from '../source/source-audio-tracks.ts'
import type { SourceFile } from '../source/source-file.ts'
import type { StreamPlan } from '../job/stream-plan.ts'
import { assignSubtitleNumbers } from '../job/stream-subtitles.ts'

const MICROSECONDS_PER_SECOND = 1_000_000

/** Enough for every codec and container. Reading twelve seconds of audio is cheap. */
const SEEK_MARGIN_SECONDS = 12

type AudioItem = Pick<MediaItemDetail, 'streams' | 'fileSeconds' | 'container'>

type AudioPlanInput = {
  file: SourceFile
  /** The track of the item that is played; undefined if the item has none. */
  played: AudioTrack | undefined
  subtitles: readonly SubtitleTrack[]
}

/**
 * Plans a job for an audio-only file: music, audiobooks, films without video. Time zero is the start of the played track. The grid is the
 * same as for video with the usual frame rate, so that all segments are made and checked in the same way. Each track is a rendition, the
 * played one first. Pure.
 * @throws AppError `not_transcodable` if there is no audio, or if there would be more than `MAX_SEGMENTS` segments
 */
export function planAudio(
  { streams, fileSeconds: durationSeconds, container }: AudioItem,
  { file, played, subtitles }: AudioPlanInput,
): StreamPlan {
  if (played === undefined || durationSeconds === null || durationSeconds <= 0) {
    throw streamingErrors.not_transcodable({ message: 'the item has neither picture nor sound that is known' })
  }
  // Covers are attachments, so a video stream means a film with incomplete stored facts. A film is never served as audio only.
  if (streams.some(({ type }) => type === 'video')) {
    throw streamingErrors.not_transcodable({ message: 'the picture of the item is not known well enough' })
  }
  const grid = makeFrameGrid({ frameRate: outputFrameRate(null), durationSeconds })
  if (segmentCount(grid) > MAX_SEGMENTS) throw streamingErrors.not_transcodable({ message: 'the sound is too long' })
  const { audioSampleRate, audioStartSeconds } = audioClock(streams, played.streamIndex)
  const startSeconds = audioStartSeconds ?? 0
  const starts = streams.map(({ index }) => audioClock(streams, index).audioStartSeconds ?? startSeconds)
  const audioTracks = sourceAudioTracks(
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
      videoStartMicroseconds: Math.round(startSeconds * MICROSECONDS_PER_SECOND),
      containerStartMicroseconds: Math.round(Math.min(startSeconds, ...starts) * MICROSECONDS_PER_SECOND),
      seekMarginSeconds: SEEK_MARGIN_SECONDS,
      jumps: [],
      entries: [],
      isInterlaced: false,
      hdrTransfer: null,
    },
    grid,
    copy: null,
    loudness: null,
    startMicroseconds: 0,
    parts: [],
    renditions: [...first, ...further].map(audioRendition),
    subtitles: assignSubtitleNumbers(subtitles),
  }
}
