/** A rendition id in file names. */
const ID = '[a-z0-9]{1,32}'

const SEGMENT = new RegExp(String.raw`^seg-v(${ID})-(\d{5})\.ts$`)
const MEDIA_PLAYLIST = new RegExp(String.raw`^media_v(${ID})\.m3u8$`)
/** Jobs without a ladder have one rendition without an id. */
const LEGACY_SEGMENT = /^seg-(\d{5})\.ts$/
const LEGACY_MEDIA_PLAYLIST = /^media_0\.m3u8$/
const SUBTITLE = /^sub-(0|[1-9]\d{0,3})(?:-(0|[1-9]\d{0,2}))?\.vtt$/

/** Segment names have five digits. */
export const MAX_SEGMENTS = 100_000

export const MASTER_PLAYLIST_NAME = 'master.m3u8'

/** The meaning of a file name inside a job directory. */
export type StreamFile =
  | { kind: 'master' }
  | { kind: 'media'; rendition: string | null }
  | { kind: 'segment'; rendition: string | null; index: number }
  | { kind: 'subtitle'; index: number; part: number | null }

/** Returns the file name of a segment: `seg-v720p-00007.ts`, or `seg-00007.ts` for the null rendition of a job without a ladder. */
export function segmentName(rendition: string | null, index: number): string {
  const number = index.toString().padStart(5, '0')
  return rendition === null ? `seg-${number}.ts` : `seg-v${rendition}-${number}.ts`
}

/** Returns the file name of a rendition's playlist: `media_v720p.m3u8`, or `media_0.m3u8` for a job without a ladder. */
export function mediaPlaylistName(rendition: string | null): string {
  return rendition === null ? 'media_0.m3u8' : `media_v${rendition}.m3u8`
}

/** Returns the file name of a subtitle track: `sub-2.vtt` for the whole text, `sub-2-1.vtt` for the text of the film's second file. */
export function subtitleName(index: number, part: number | null = null): string {
  return part === null ? `sub-${index}.vtt` : `sub-${index}-${part}.vtt`
}

/** Returns the id used in the name of a subtitle track's playlist: `s2`, hence `media_vs2.m3u8`. */
export function subtitlePlaylistId(index: number): string {
  return `s${index}`
}

/**
 * Parses a requested file name. Returns undefined for every name that does not match one of the patterns exactly; only matching names are
 * ever joined to a path.
 */
export function parseStreamFile(name: string): StreamFile | undefined {
  if (name === MASTER_PLAYLIST_NAME) return { kind: 'master' }
  const media = MEDIA_PLAYLIST.exec(name)
  if (media?.[1] !== undefined) return { kind: 'media', rendition: media[1] }
  if (LEGACY_MEDIA_PLAYLIST.test(name)) return { kind: 'media', rendition: null }
  const segment = SEGMENT.exec(name)
  if (segment?.[1] !== undefined) return { kind: 'segment', rendition: segment[1], index: Number(segment[2]) }
  const legacy = LEGACY_SEGMENT.exec(name)
  if (legacy !== null) return { kind: 'segment', rendition: null, index: Number(legacy[1]) }
  const subtitle = SUBTITLE.exec(name)
  if (subtitle === null) return undefined
  return { kind: 'subtitle', index: Number(subtitle[1]), part: subtitle[2] === undefined ? null : Number(subtitle[2]) }
}
