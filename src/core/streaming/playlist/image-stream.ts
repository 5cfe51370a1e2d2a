/** Pictures of the time line beside a stream. */
export type ImageStream = Readonly<{
  /** Bits per second. */
  bandwidth: number
  /** Size of one picture in pixels. */
  width: number
  height: number
  /** Address of the image playlist. */
  url: string
}>

/**
 * Adds an image stream to a master playlist. Players that do not know the tag ignore it (RFC 8216, 6.3.1).
 * https://developer.roku.com/docs/developer-program/media-playback/trick-mode/hls-and-dash.md
 */
export function addImageStream(master: string, { bandwidth, width, height, url }: ImageStream): string {
  const attributes = `BANDWIDTH=${Math.ceil(bandwidth)},RESOLUTION=${width}x${height},CODECS="jpeg",URI="${url}"`
  return `${master}#EXT-X-IMAGE-STREAM-INF:${attributes}\n`
}
