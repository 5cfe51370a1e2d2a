import type { MediaItem } from '../../../core/catalogue/index.ts'
import type { ExplainedLadder, LadderCandidate } from '../../../core/streaming/index.ts'
import { renditionView } from '../../../core/views/index.ts'
import type { Output } from './output.ts'
import { replaceControlCharacters, renderTable, type Column } from './table.ts'

export type ItemLadder = { item: Pick<MediaItem, 'id' | 'name'>; ladder: ExplainedLadder }

/** The `media.explain/1` document. */
export function ladderDocument({ item, ladder: { film, profile, steps } }: ItemLadder): Record<string, unknown> {
  return {
    item_id: item.id,
    name: item.name,
    profile: {
      name: profile.name,
      max_width: profile.maxWidth,
      max_height: profile.maxHeight,
      max_bitrate: profile.maxBitrate,
    },
    source: {
      width: film.width,
      height: film.height,
      bitrate: film.bitrate,
      frame_rate: film.frameRate,
      video_codec: film.videoCodec,
      video_profile: film.videoProfile,
      video_level: film.videoLevel,
      pixel_format: film.pixelFormat,
      audio_codec: film.hasAudio ? film.audioCodec : null,
      audio_channels: film.hasAudio ? film.audioChannels : null,
    },
    rungs: steps.map(stepDocument),
  }
}

/** The keys of a rendition, for a step without one. */
const NO_RENDITION = {
  label: null,
  bitrate: null,
  video_bitrate: null,
  codecs: null,
  is_original: false,
  is_copy: false,
}

/** A step has its own size and id, even if it has no rendition. */
function stepDocument({ id, width, height, rendition, reason }: LadderCandidate): Record<string, unknown> {
  return {
    ...(rendition === null ? NO_RENDITION : renditionView(rendition)),
    id,
    width,
    height,
    is_kept: rendition !== null,
    reason,
    audio: rendition?.audio ?? null,
  }
}

/** Width of the longest bar in characters. */
const BAR_CELLS = 20
/** A character is filled from the left in eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Renders a bar of `share` (0 to 1) of the maximum length. A share above 0 is always visible. */
export function renderBandwidthBar(share: number): string {
  const eighths = share <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, share) * BAR_CELLS * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/** The ladder as text: source and device, then each rendition with a bar for its bandwidth and the reason. */
export function describeLadder({ item, ladder }: ItemLadder, options: { plain: boolean; output: Output }): string {
  const { film, profile, steps } = ladder
  const most = Math.max(...steps.map(({ rendition }) => rendition?.bitrate ?? 0))
  const columns: Column<LadderCandidate>[] = [
    { title: 'rung', text: ({ id }) => id },
    { title: 'size', text: ({ width, height }) => `${width}x${height}`, alignRight: true },
    { title: 'kb/s', text: ({ rendition }) => kilobits(rendition?.bitrate ?? null), alignRight: true },
    { title: 'bandwidth', text: ({ rendition }) => renderBandwidthBar((rendition?.bitrate ?? 0) / most) },
    { title: 'is', text: ({ rendition }) => (rendition === null ? 'dropped' : rendition.label) },
    { title: 'because', text: ({ reason }) => reason },
  ]
  const table = renderTable(columns, steps, options)
  if (options.plain) return table
  const picture = [film.videoCodec, film.videoProfile, `${film.width ?? '?'}x${film.height ?? '?'}`, film.frameRate]
  const description = picture.filter((word) => word !== null).join(' ')
  const sound = film.hasAudio ? `${film.audioCodec ?? 'unknown'} sound` : 'no sound'
  const limits = `${profile.maxWidth}x${profile.maxHeight}, ${kilobits(profile.maxBitrate)} kb/s`
  return [
    `${replaceControlCharacters(item.name)}: ${description}, ${kilobits(film.bitrate)} kb/s, ${sound}`,
    `${profile.name}: at most ${limits}`,
    '',
    table,
  ].join('\n')
}

function kilobits(bitsPerSecond: number | null): string {
  return bitsPerSecond === null ? '?' : `${Math.round(bitsPerSecond / 1000)}`
}
