import { z } from 'zod'
import type { MediaStream } from '../catalogue/index.ts'
import { listAudioTracks, type AudioTrack } from '../tracks/index.ts'
import { audioClock } from './source-audio-tracks.ts'
import type { FilmSource } from './source-profile.ts'

/** What a track has that names no language. */
const UNDETERMINED = 'und'

/**
 * The sound that a file plays: its own default, but where another track has the wanted language and the default has not, the first of
 * those. Undefined where there is no sound, or nothing is stored of its tracks. Pure.
 * @param choice.film the picture's facts, which name the default; undefined where there is no picture
 * @param choice.language BCP 47, or `und`, which no track is chosen by; null for the default
 */
export function playedSound(
  streams: readonly MediaStream[],
  { film, language }: { film: Pick<FilmSource, 'audioStreamIndex'> | undefined; language: string | null },
): AudioTrack | undefined {
  const tracks = listAudioTracks({ streams })
  const own = tracks.find(({ streamIndex, isDefault }) =>
    film === undefined ? isDefault : streamIndex === film.audioStreamIndex,
  )
  if (own === undefined || own.language === language || language === UNDETERMINED) return own
  return tracks.find((track) => track.language === language) ?? own
}

const Details = z.object({ profile: z.string().nullable() })

/** A film as if this track were its default. Pure. */
export function withSound(film: FilmSource, track: AudioTrack, streams: readonly MediaStream[]): FilmSource {
  const { streamIndex, codec, bitrate, channels } = track
  if (streamIndex === film.audioStreamIndex) return film
  const { data } = Details.safeParse(streams.find(({ index }) => index === streamIndex)?.details)
  return {
    ...film,
    audioStreamIndex: streamIndex,
    audioCodec: codec,
    audioProfile: data?.profile ?? null,
    audioBitrate: bitrate,
    audioChannels: channels,
    ...audioClock(streams, streamIndex),
  }
}
