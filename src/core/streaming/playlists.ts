import { frameTime, secondsText, segmentCount, segmentFrames, type FrameGrid } from './frame-grid.ts'
import { videoRenditions, type Rendition } from './rendition.ts'
import { mediaPlaylistName, segmentName } from './segment-name.ts'

const MICROSECONDS = 1_000_000

/**
 * Text of `master.m3u8`: the renditions, highest bandwidth first (ladder rule 8; RFC 8216, 4.3.4.2). Names are relative
 * and unsigned.
 */
export function masterPlaylist(input: { renditions: readonly Rendition[]; grid: FrameGrid }): string {
  const { numerator, denominator } = input.grid.frameRate
  const frameRate = (numerator / denominator).toFixed(3)
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS']
  for (const rendition of videoRenditions(input.renditions).toSorted((a, b) => b.bitrate - a.bitrate)) {
    const { bitrate, width, height, codecs, id } = rendition
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${bitrate},RESOLUTION=${width}x${height},CODECS="${codecs}",FRAME-RATE=${frameRate}`,
      mediaPlaylistName(id),
    )
  }
  return `${lines.join('\n')}\n`
}

/**
 * Text of one rendition's playlist: every segment that will ever be, with its exact length, whether encoded yet or not.
 * The target duration is that of the longest segment, which is the first, rounded (RFC 8216, 4.3.3.1).
 */
export function mediaPlaylist(input: { rendition: string; grid: FrameGrid }): string {
  const indexes = Array.from({ length: segmentCount(input.grid) }, (_, index) => index)
  const durations = indexes.map((index) => segmentMicroseconds(input.grid, index))
  const target = Math.max(1, Math.round((durations[0] ?? 0) / MICROSECONDS))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  for (const [index, duration] of durations.entries()) {
    lines.push(`#EXTINF:${secondsText(duration)},`, segmentName(input.rendition, index))
  }
  return `${lines.join('\n')}\n#EXT-X-ENDLIST\n`
}

/** The distance of two rounded starts, so that the lengths add up to the whole without drift. */
function segmentMicroseconds(grid: FrameGrid, index: number): number {
  const { first, end } = segmentFrames(grid, index)
  const at = (frame: number): number =>
    frameTime(grid.frameRate, { frame, unitsPerSecond: MICROSECONDS, rounding: 'nearest' })
  return at(end) - at(first)
}

/**
 * A playlist whose every address carries `query` (for example `exp=1&sig=a`): many players drop the query of the
 * playlist when they resolve what stands in it (document 4, 4.3).
 */
export function withAddressQuery(playlist: string, query: string): string {
  return playlist
    .split('\n')
    .map((line) => (line === '' || line.startsWith('#') ? line : `${line}?${query}`))
    .join('\n')
}
