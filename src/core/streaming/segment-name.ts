/** A rendition id as it stands in file names (document 2, segment serving rule 3). */
const ID = '[a-z0-9]{1,32}'

const SEGMENT = new RegExp(String.raw`^seg-v(${ID})-(\d{5})\.ts$`)
const MEDIA_PLAYLIST = new RegExp(String.raw`^media_v(${ID})\.m3u8$`)

/** Five digits are all that a segment name has. */
export const MAX_SEGMENTS = 100_000

export const MASTER_PLAYLIST_NAME = 'master.m3u8'

/** What a file name inside a job directory asks for. */
export type StreamFile =
  | { kind: 'master' }
  | { kind: 'media'; rendition: string }
  | { kind: 'segment'; rendition: string; index: number }

/** The file name of a segment: `seg-v720p-00007.ts`. */
export function segmentName(rendition: string, index: number): string {
  return `seg-v${rendition}-${index.toString().padStart(5, '0')}.ts`
}

/** The file name of a rendition's playlist: `media_v720p.m3u8`. */
export function mediaPlaylistName(rendition: string): string {
  return `media_v${rendition}.m3u8`
}

/**
 * Reads a requested file name. Everything that is not exactly one of the three forms is undefined: no other name is
 * ever joined to a path (SU-05, SU-07).
 */
export function parseStreamFile(name: string): StreamFile | undefined {
  if (name === MASTER_PLAYLIST_NAME) return { kind: 'master' }
  const media = MEDIA_PLAYLIST.exec(name)
  if (media?.[1] !== undefined) return { kind: 'media', rendition: media[1] }
  const segment = SEGMENT.exec(name)
  if (segment?.[1] === undefined) return undefined
  return { kind: 'segment', rendition: segment[1], index: Number(segment[2]) }
}
