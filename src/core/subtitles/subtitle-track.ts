import { subtitleErrors } from './errors.ts'

/** Subtitles that are text: inside a file, or in a file of their own beside it. */
export type SubtitleTrack = Readonly<{
  /** UUID of the stream, or 32 hexadecimal digits that stand for the file beside. */
  id: string
  /** Position among all subtitle streams of the file, those that are pictures included; files beside go on counting. */
  index: number
  /** Position among all streams of the file, as ffmpeg counts; null for a file beside. */
  streamIndex: number | null
  /** `subrip`, `ass`, `mov_text`, `webvtt` …; the extension of a file beside. */
  codec: string
  /** BCP 47; `und` where nobody says. */
  language: string
  /** What a menu shows, different for every track of an item: `German (forced)`. */
  label: string
  title: string | null
  source: 'embedded' | 'external'
  isDefault: boolean
  isForced: boolean
  isHearingImpaired: boolean
  /** Of the file beside; null inside a film. */
  path: string | null
}>

/** What a signature for the text of a track is made for, and what its address is. */
export function subtitleResource({ itemId, index }: { itemId: string; index: number | string }): string {
  return `/api/v1/media/${itemId}/subtitles/${index}`
}

/**
 * The number of a track in an address; it has one spelling only.
 * @throws AppError `subtitle_not_found`
 */
export function parseTrackIndex(text: string): number {
  if (!/^(?:0|[1-9]\d{0,3})$/.test(text)) throw subtitleErrors.subtitle_not_found()
  return Number(text)
}
