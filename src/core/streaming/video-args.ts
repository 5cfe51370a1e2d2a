import { videoLimits } from './bit-rates.ts'
import { segmentFrames } from './segment-timeline.ts'
import { jumpFilters } from './jump-filters.ts'
import type { SegmentRange } from './encode-arguments.ts'
import type { VideoRendition } from './rendition.ts'
import type { StreamJob } from './stream-job.ts'

/**
 * The words that encode the picture of some segments: exactly the frames of the grid, a key frame at the start of every
 * segment on every rung, H.264 High with eight bits and 4:2:0 whatever the source is (ladder rules 9, 12 and 13).
 */
export function videoArgs({ grid, source }: StreamJob, rendition: VideoRendition, range: SegmentRange): string[] {
  const { first } = segmentFrames(grid, range.first)
  const { end } = segmentFrames(grid, range.last)
  const filters = [
    ...jumpFilters('setpts', source.jumps),
    ...(source.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${grid.frameRate.numerator}/${grid.frameRate.denominator}${first === 0 ? ':start_time=0' : ''}`,
    // A picture that ends before the file does stands still, so that every segment has all its frames.
    'tpad=stop=-1:stop_mode=clone',
    `trim=start_pts=${first}:end_pts=${end}`,
    `scale=${rendition.width}:${rendition.height}`,
    'setsar=1',
    ...(source.hdrTransfer === null ? [] : toneMapFilters(source.hdrTransfer)),
    'format=yuv420p',
  ]
  const { videoBitrate } = rendition
  const { maxRate, buffer } = videoLimits(videoBitrate)
  return [
    pictureWords(source, { chain: filters.join(','), width: rendition.width, height: rendition.height }),
    ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'],
    ['-b:v', `${videoBitrate}`, '-maxrate', `${maxRate}`, '-bufsize', `${buffer}`],
    ['-g', `${grid.framesPerSegment}`, '-keyint_min', `${grid.framesPerSegment}`, '-sc_threshold', '0'],
    ['-force_key_frames', `expr:eq(mod(n,${grid.framesPerSegment}),0)`, '-flags', '+cgop'],
  ].flat()
}

type Picture = { chain: string; width: number; height: number }

/**
 * Which picture is encoded, and through which filters; with the subtitles that are drawn into it. Their canvas is stretched over the
 * picture, which is that of the disc that both come from.
 */
function pictureWords({ videoStreamIndex, burnedStreamIndex, jumps }: StreamJob['source'], picture: Picture): string[] {
  const { chain, width, height } = picture
  if (burnedStreamIndex === undefined) return ['-map', `0:${videoStreamIndex}`, '-vf', chain]
  const graph = [
    `[0:${videoStreamIndex}]${chain}[film]`,
    `[0:${burnedStreamIndex}]${[...jumpFilters('setpts', jumps), `scale=${width}:${height}`].join(',')}[subtitles]`,
    '[film][subtitles]overlay=eof_action=pass:repeatlast=0,format=yuv420p[picture]',
  ]
  return ['-filter_complex', graph.join(';'), '-map', '[picture]']
}

/** High dynamic range to BT.709, after scaling, since every step is slow. */
function toneMapFilters(transfer: string): string[] {
  return [
    `zscale=tin=${transfer}:min=bt2020nc:pin=bt2020:rin=tv:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ]
}
