import { z } from 'zod'
import type { MediaStream } from '../../catalogue/index.ts'
import { listAudioTracks, type AudioTrack } from '../../tracks/index.ts'
import { audioClock } from './source-audio-tracks.ts'
import type { FilmSource } from './film-source.ts'

/** Language of a track without a language tag. */
const UNDETERMINED = 'und'

/**
 * Returns the audio track that a file plays: its default, or the first track of the wanted language if the default has another language.
 * Undefined if there is no audio, or the tracks are not stored. Pure.
 * @param choice.film identifies the default track; undefined without video
 * @param choice.language BCP 47; null and `und` select the default
 */
export function choosePlayedAudioTrack(
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

/** Returns the film with this track as its default. Pure. */
export function setDefaultAudioTrack(film: FilmSource, track: AudioTrack, streams: readonly MediaStream[]): FilmSource {
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
