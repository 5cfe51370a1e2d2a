import { PICTURE_HEIGHT, PICTURE_INTERVAL_SECONDS, PICTURE_WIDTH } from '../../../platform/media-tools/index.ts'
import { STORED_GRID } from '../grid-geometry.ts'

/** A grid of pictures: how long its pictures apply, and its address. */
export type PlaylistGrid = Readonly<{ durationSeconds: number; url: string }>

/**
 * Writes an image media playlist: grids of pictures with their layout, in the format that Roku and other players read in addition to HLS.
 * https://developer.roku.com/docs/developer-program/media-playback/trick-mode/hls-and-dash.md
 */
export function writeImagePlaylist(grids: readonly PlaylistGrid[]): string {
  const longest = Math.ceil(Math.max(1, ...grids.map(({ durationSeconds }) => durationSeconds)))
  const { columns, rows } = STORED_GRID
  const tiles = `RESOLUTION=${PICTURE_WIDTH}x${PICTURE_HEIGHT},LAYOUT=${columns}x${rows},DURATION=${PICTURE_INTERVAL_SECONDS}`
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-IMAGES-ONLY',
    ...grids.flatMap(({ durationSeconds, url }) => [
      `#EXTINF:${durationSeconds.toFixed(3)},`,
      `#EXT-X-TILES:${tiles}`,
      url,
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
