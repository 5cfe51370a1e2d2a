import { encoderRateLimits } from '../ladder/bit-rates.ts'
import { segmentFrameRange } from '../timeline/segment-timeline.ts'
import { clockJumpFilters, type JumpingClock } from '../timeline/jump-filters.ts'
import type { SegmentRange } from './encode-run.ts'
import type { VideoRendition } from '../job/rendition.ts'
import type { StreamPlan } from '../job/stream-plan.ts'

/**
 * Returns the arguments that encode the video of some segments: exactly the frames of the grid, a key frame at the start of every segment
 * in every rung, H.264 High with 8 bit 4:2:0 for any source.
 */
export function videoArguments(
  { grid, source }: StreamPlan,
  rendition: VideoRendition,
  { range, clock }: { range: SegmentRange; clock: JumpingClock },
): string[] {
  const { first } = segmentFrameRange(grid, range.first)
  const { end } = segmentFrameRange(grid, range.last)
  const filters = [
    ...clockJumpFilters('setpts', clock),
    ...(source.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${grid.frameRate.numerator}/${grid.frameRate.denominator}${first === 0 ? ':start_time=0' : ''}`,
    // Repeats the last frame if the video ends before the file, so that every segment has all its frames.
    'tpad=stop=-1:stop_mode=clone',
    `trim=start_pts=${first}:end_pts=${end}`,
    `scale=${rendition.width}:${rendition.height}`,
    'setsar=1',
    ...(source.hdrTransfer === null ? [] : toneMapFilters(source.hdrTransfer)),
    'format=yuv420p',
  ]
  const { videoBitrate } = rendition
  const { maxRate, buffer } = encoderRateLimits(videoBitrate)
  return [
    videoMapArgs(source, { chain: filters.join(','), width: rendition.width, height: rendition.height, clock }),
    ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'],
    ['-b:v', `${videoBitrate}`, '-maxrate', `${maxRate}`, '-bufsize', `${buffer}`],
    ['-g', `${grid.framesPerSegment}`, '-keyint_min', `${grid.framesPerSegment}`, '-sc_threshold', '0'],
    ['-force_key_frames', `expr:eq(mod(n,${grid.framesPerSegment}),0)`, '-flags', '+cgop'],
  ].flat()
}

type Picture = { chain: string; width: number; height: number; clock: JumpingClock }

/**
 * Returns the mapped video stream and its filters, including burned-in subtitles. The subtitle canvas is scaled to the video, because
 * both come from the same disc.
 */
function videoMapArgs({ videoStreamIndex, burnedStreamIndex }: StreamPlan['source'], picture: Picture): string[] {
  const { chain, width, height, clock } = picture
  if (burnedStreamIndex === undefined) return ['-map', `0:${videoStreamIndex}`, '-vf', chain]
  const graph = [
    `[0:${videoStreamIndex}]${chain}[film]`,
    `[0:${burnedStreamIndex}]${[...clockJumpFilters('setpts', clock), `scale=${width}:${height}`].join(',')}[subtitles]`,
    '[film][subtitles]overlay=eof_action=pass:repeatlast=0,format=yuv420p[picture]',
  ]
  return ['-filter_complex', graph.join(';'), '-map', '[picture]']
}

/** Converts high dynamic range to BT.709. Runs after scaling, because every step is slow. */
function toneMapFilters(transfer: string): string[] {
  return [
    `zscale=tin=${transfer}:min=bt2020nc:pin=bt2020:rin=tv:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ]
}
