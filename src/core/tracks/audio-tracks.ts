import type { MediaStream } from '../catalogue/index.ts'
import { uniqueLabel } from './unique-label.ts'
import { languageName, languageTag } from './language.ts'

/** A selectable audio track. */
export type AudioTrack = Readonly<{
  /** UUID of its stream. */
  id: string
  /** Position among the audio tracks of the file. */
  index: number
  /** Position among all streams of the file, as ffmpeg counts. */
  streamIndex: number
  codec: string | null
  /** BCP 47; `und` if unknown. */
  language: string
  /** The label in a menu, unique among the tracks of a file: `German · 5.1 · Commentary`. */
  label: string
  title: string | null
  channels: number | null
  /** `stereo`, `5.1`; null if unknown. */
  channelLayout: string | null
  /** Bits per second. */
  bitrate: number | null
  /** True for exactly one track. */
  isDefault: boolean
}>

const LAYOUTS: ReadonlyMap<number, string> = new Map([
  [1, 'mono'],
  [2, 'stereo'],
  [6, '5.1'],
  [8, '7.1'],
])

/** The audio tracks of an item in the order of its file. The default is the first with the default disposition, else the first. Pure. */
export function listAudioTracks({ streams }: { streams: readonly MediaStream[] }): AudioTrack[] {
  const sounds = streams.filter(({ type }) => type === 'audio')
  const preferred = sounds.find(({ isDefault }) => isDefault) ?? sounds[0]
  const labels = new Set<string>()
  return sounds.map((stream, index) => {
    const language = languageTag(stream.language)
    const channelLayout = layoutOf(stream)
    const parts = [languageName(language) ?? `Track ${index + 1}`, channelLayout, stream.title]
    return {
      id: stream.id,
      index,
      streamIndex: stream.index,
      codec: stream.codec,
      language,
      label: uniqueLabel(parts.filter((part) => part !== null).join(' · '), labels),
      title: stream.title,
      channels: stream.channels,
      channelLayout,
      bitrate: stream.bitrate,
      isDefault: stream === preferred,
    }
  })
}

/** For players, `5.1(side)` has no more information than `5.1`. */
function layoutOf({ details, channels }: MediaStream): string | null {
  const layout = details['channelLayout']
  if (typeof layout === 'string' && layout !== '') return layout.replace(/\(.*$/, '')
  return channels === null ? null : (LAYOUTS.get(channels) ?? `${channels} channels`)
}
