import { subtitleErrors } from './errors.ts'

/** Text subtitles: embedded, or in a separate file. */
export type SubtitleTrack = Readonly<{
  /** UUID of the stream or of a downloaded text, or 32 hexadecimal digits derived from the path of a separate file. */
  id: string
  /** Position among all subtitle streams of the file, bitmap subtitles included; separate files follow. */
  index: number
  /** Position among all streams of the file, as ffmpeg counts; null for a separate file. */
  streamIndex: number | null
  /** `subrip`, `ass`, `mov_text`, `webvtt` …; the extension of a separate file. */
  codec: string
  /** BCP 47; `und` if unknown. */
  language: string
  /** Label for menus, unique among the tracks of an item: `German (forced)`. */
  label: string
  title: string | null
  source: 'embedded' | 'external'
  isDefault: boolean
  isForced: boolean
  isHearingImpaired: boolean
  /** Path of the separate file, or `formatDownloadLocator` of a downloaded text; null for embedded text. */
  path: string | null
}>

const DOWNLOAD_PREFIX = 'download:'

/** What a downloaded text has in place of a path, which begins with a slash. */
export function formatDownloadLocator(id: string): string {
  return `${DOWNLOAD_PREFIX}${id}`
}

/** The id of a downloaded text; undefined for a path. */
export function parseDownloadLocator(path: string): string | undefined {
  return path.startsWith(DOWNLOAD_PREFIX) ? path.slice(DOWNLOAD_PREFIX.length) : undefined
}

/** Returns the address of a track's text, which is also the resource of its signature. */
export function subtitleResource({ itemId, index }: { itemId: string; index: number | string }): string {
  return `/api/v1/media/${itemId}/subtitles/${index}`
}

/**
 * Parses the number of a track in an address. Only the canonical spelling is accepted.
 * @throws AppError `subtitle_not_found`
 */
export function parseTrackIndex(text: string): number {
  if (!/^(?:0|[1-9]\d{0,3})$/.test(text)) throw subtitleErrors.subtitle_not_found()
  return Number(text)
}
