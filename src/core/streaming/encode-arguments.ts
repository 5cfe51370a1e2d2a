import { audioWindow, SAMPLE_RATE, SAMPLES_PER_PACKET, VIDEO_DELAY_FRAMES, type AudioWindow } from './audio-grid.ts'
import { frameTime, secondsText, segmentFrames, type FrameGrid } from './frame-grid.ts'

/** How a source is read. */
export type EncodeSource = Readonly<{
  /** First video frame on the container's own clock: zero of the job's timeline. */
  videoStartMicroseconds: number
  /** First time stamp of the container; seeking counts from it. */
  containerStartMicroseconds: number
  videoStreamIndex: number
  isInterlaced: boolean
  hdrTransfer: string | null
  /** Null where there is no sound. */
  audio: SourceAudio | null
}>

export type SourceAudio = Readonly<{
  streamIndex: number
  /**
   * Set where the container rounds packet times to milliseconds (Matroska): times are moved to multiples of
   * `granuleSamples`, counted from `phaseSamples`, both in samples of the source's own rate. Without it every segment
   * would begin up to half a millisecond off.
   */
  snap: Readonly<{ granuleSamples: number; phaseSamples: number }> | null
}>

/** Everything that one segment's arguments follow from; the same for every segment of a rendition. */
export type EncodePlan = Readonly<{
  grid: FrameGrid
  width: number
  height: number
  videoBitrate: number
  maxVideoBitrate: number
  audioBitrate: number
  source: EncodeSource
}>

/** Where the transport stream's clock stands at time zero: 8.6 s here and 1.4 s that ffmpeg's multiplexer adds. */
const OUTPUT_OFFSET_SECONDS = '8.6'
export const STREAM_CLOCK_ORIGIN = 900_000

export type SegmentRange = Readonly<{ first: number; last: number }>

/**
 * The words that make the segments `first` to `last` of a plan as one transport stream, without program, input path and
 * output path: `before` goes in front of the input's words, `after` between them and the output.
 * @param seekMarginSeconds how long before the segment reading begins at the latest; there must be a key frame between
 */
export function encodeArguments(
  plan: EncodePlan,
  range: SegmentRange,
  seekMarginSeconds: number,
): { before: string[]; after: string[] } {
  const { audio, videoStreamIndex, videoStartMicroseconds } = plan.source
  return {
    before: [...seekWords(plan, range, seekMarginSeconds), '-itsoffset', secondsText(-videoStartMicroseconds)],
    after: [
      ['-copyts'],
      ['-map', `0:${videoStreamIndex}`, ...(audio === null ? [] : ['-map', `0:${audio.streamIndex}`])],
      ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
      videoWords(plan, range),
      audio === null ? ['-an'] : audioWords(plan, audio, range),
      ['-max_muxing_queue_size', '1024', '-max_interleave_delta', '0', '-output_ts_offset', OUTPUT_OFFSET_SECONDS],
      // Continuity counters begin anew in every file; the flag tells readers so (RFC 8216, section 3, wants them to go
      // on).
      ['-f', 'mpegts', '-mpegts_flags', '+initial_discontinuity'],
    ].flat(),
  }
}

/**
 * Seeking goes to a key frame before the margin, and the filters cut to the frame: ffmpeg's own cut is off by up to a
 * frame.
 */
function seekWords(plan: EncodePlan, range: SegmentRange, marginSeconds: number): string[] {
  const { videoStartMicroseconds, containerStartMicroseconds } = plan.source
  // The sound of a segment begins before its picture.
  const frame = segmentFrames(plan.grid, range.first).first - VIDEO_DELAY_FRAMES
  const start = frameTime(plan.grid.frameRate, { frame, unitsPerSecond: 1_000_000, rounding: 'floor' })
  const target = start - marginSeconds * 1_000_000 + videoStartMicroseconds - containerStartMicroseconds
  return range.first === 0 || target <= 0 ? [] : ['-noaccurate_seek', '-ss', secondsText(target)]
}

function videoWords({ grid, ...plan }: EncodePlan, range: SegmentRange): string[] {
  const { first } = segmentFrames(grid, range.first)
  const { end } = segmentFrames(grid, range.last)
  const filters = [
    ...(plan.source.isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${grid.frameRate.numerator}/${grid.frameRate.denominator}${first === 0 ? ':start_time=0' : ''}`,
    // A picture that ends before the file does stands still, so that every segment has all its frames.
    'tpad=stop=-1:stop_mode=clone',
    `trim=start_pts=${first}:end_pts=${end}`,
    `scale=${plan.width}:${plan.height}`,
    'setsar=1',
    ...(plan.source.hdrTransfer === null ? [] : toneMapFilters(plan.source.hdrTransfer)),
    'format=yuv420p',
  ]
  return [
    ['-vf', filters.join(',')],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high'],
    ['-b:v', `${plan.videoBitrate}`, '-maxrate', `${plan.maxVideoBitrate}`, '-bufsize', `${plan.videoBitrate * 2}`],
    ['-g', `${grid.framesPerSegment}`, '-keyint_min', `${grid.framesPerSegment}`, '-sc_threshold', '0'],
    ['-force_key_frames', `expr:eq(mod(n,${grid.framesPerSegment}),0)`, '-flags', '+cgop'],
  ].flat()
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

function audioWords(plan: EncodePlan, audio: SourceAudio, range: SegmentRange): string[] {
  const window = audioWindow(plan.grid, range)
  const filters = [
    ...(audio.snap === null ? [] : [snapFilter(audio.snap)]),
    // first_pts counts samples of its input's rate, so the rate is changed by a filter of its own before.
    `aresample=${SAMPLE_RATE}`,
    `aresample=async=1:first_pts=${window.encodeFrom}`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    'apad',
    `atrim=end_pts=${window.encodeUntil}`,
  ]
  return [
    ['-af', filters.join(',')],
    ['-c:a', 'aac', '-b:a', `${plan.audioBitrate}`],
    ['-bsf:a', `noise=drop=${dropExpression(window)}`],
  ].flat()
}

/**
 * Which packets are thrown away. ffmpeg hands packets to this filter in units of the encoder or of the multiplexer,
 * whichever stream was ready first, and does not say which; the packet's duration `d`, always 1,024 samples, tells the
 * unit.
 */
function dropExpression(window: AudioWindow): string {
  const earlier = String.raw`lt(pts*${SAMPLES_PER_PACKET}\,${window.keepFrom}*d)`
  if (window.keepBefore === null) return earlier
  return String.raw`${earlier}+gte(pts*${SAMPLES_PER_PACKET}\,${window.keepBefore}*d)`
}

function snapFilter({ granuleSamples, phaseSamples }: { granuleSamples: number; phaseSamples: number }): string {
  return `asetpts='round((PTS-(${phaseSamples}))/${granuleSamples})*${granuleSamples}+(${phaseSamples})'`
}
