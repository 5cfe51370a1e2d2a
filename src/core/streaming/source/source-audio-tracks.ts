import { z } from 'zod'
import type { MediaStream } from '../../catalogue/index.ts'
import { listAudioTracks } from '../../tracks/index.ts'
import { audioBandwidth } from '../ladder/bit-rates.ts'
import { AAC_LC } from '../ladder/codec-strings.ts'
import type { AudioRendition } from '../job/rendition.ts'
import type { FilmSource } from './film-source.ts'
import type { SourceAudioTrack } from '../job/stream-plan.ts'

/** Matroska, ASF and FLV store timestamps in milliseconds. */
const MILLISECOND_CONTAINERS = new Set(['mkv', 'webm', 'mka', 'mk3d', 'asf', 'wmv', 'wma', 'flv'])

/**
 * The granule of each codec: packet timestamps are multiples of this number of samples. It divides the packet size if that size may
 * change within a file.
 */
const GRANULES: ReadonlyMap<string, number> = new Map([
  ['aac', 1024],
  ['mp3', 576],
  ['mp2', 1152],
  ['ac3', 1536],
  ['eac3', 256],
  ['dts', 512],
  ['opus', 240],
  ['vorbis', 64],
  ['flac', 128],
  ['alac', 4096],
  ['wmav1', 512],
  ['wmav2', 512],
  ['wmapro', 512],
])

/** Known properties of the played audio; `videoStartSeconds` is the job's zero. */
type SoundFacts = Pick<
  FilmSource,
  'container' | 'audioStreamIndex' | 'audioCodec' | 'audioSampleRate' | 'audioStartSeconds' | 'videoStartSeconds'
>

/** Returns the audio tracks of a film with the correction of their timestamps. The played track is the default. Pure. */
export function sourceAudioTracks(film: SoundFacts, streams: readonly MediaStream[]): SourceAudioTrack[] {
  if (film.audioStreamIndex === null) return []
  const tracks = listAudioTracks({ streams })
  const known = tracks.some(({ streamIndex }) => streamIndex === film.audioStreamIndex)
  if (!known)
    return [{ ...UNKNOWN_TRACK, streamIndex: film.audioStreamIndex, codec: film.audioCodec, snap: snapOf(film) }]
  return tracks.map(({ streamIndex, codec, language, label, title, channels }) => ({
    streamIndex,
    snap: snapOf({ ...film, audioCodec: codec, ...audioClock(streams, streamIndex) }),
    codec,
    language,
    label,
    title,
    channels,
    isDefault: streamIndex === film.audioStreamIndex,
  }))
}

const Clock = z.object({ sampleRate: z.number().nullable(), startSeconds: z.number().nullable() })

/** Returns the sample rate and the start of a track. Earlier releases did not store the start. */
export function audioClock(streams: readonly MediaStream[], streamIndex: number) {
  const { data } = Clock.safeParse(streams.find(({ index }) => index === streamIndex)?.details)
  return { audioSampleRate: data?.sampleRate ?? null, audioStartSeconds: data?.startSeconds ?? null }
}

const UNKNOWN_TRACK = { language: 'und', label: 'Track 1', title: null, channels: null, isDefault: true }

/** Returns the rendition of a separate audio track: segments of the job's grid without video. */
export function audioRendition({ streamIndex, label, language }: SourceAudioTrack): AudioRendition {
  const { peak, average } = audioBandwidth()
  return {
    kind: 'audio',
    id: `a${streamIndex}`,
    label,
    language,
    streamIndex,
    bitrate: peak,
    averageBitrate: average,
    codecs: AAC_LC,
  }
}

/** Returns the correction of rounded timestamps; null if the container does not round them, or the sample rate or the start is unknown. */
function snapOf(sound: Omit<SoundFacts, 'audioStreamIndex'>): SourceAudioTrack['snap'] {
  const { audioCodec, audioSampleRate, audioStartSeconds } = sound
  const granuleSamples = GRANULES.get(audioCodec ?? '') ?? 1
  if (!MILLISECOND_CONTAINERS.has(sound.container)) return null
  if (audioSampleRate === null || audioStartSeconds === null) return null
  const phaseSamples = Math.round((audioStartSeconds - sound.videoStartSeconds) * audioSampleRate)
  return { granuleSamples, phaseSamples }
}
