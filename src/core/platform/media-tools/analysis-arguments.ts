import { inputArguments } from './file-arguments.ts'

/** Size of a picture of the time line in pixels. */
export const PICTURE_WIDTH = 160
export const PICTURE_HEIGHT = 90
/** One picture: 3 bytes for each pixel, red, green, blue. */
export const PICTURE_BYTES = PICTURE_WIDTH * PICTURE_HEIGHT * 3
/** Seconds between two pictures. */
export const PICTURE_INTERVAL_SECONDS = 10

/**
 * Muxers move the video by the delay of its encoder or of the sound, up to two frames and 0.05 s. A key frame that is later than the time of a
 * picture by at most this counts as at that time; otherwise the picture would be that of the key frame before.
 */
const MUXER_DELAY_SECONDS = 0.1

/** What is read of the video stream of a film. */
export type PictureRequest = {
  /** Position among all streams of the file. */
  streamIndex: number
  /** The transfer function of a stream with high dynamic range, if it must be converted; null otherwise. */
  hdrTransfer: 'smpte2084' | 'arib-std-b67' | null
  /** Decodes key frames only, at a twentieth of the processor time: a picture is then the last key frame at or before its time. */
  isKeyFramesOnly: boolean
}

/** The file descriptors of the outputs of an analysis. */
export const PICTURE_PIPE = 1
export const SOUND_PIPE = 3
export const PROGRESS_PIPE = 4

/**
 * The arguments of ffmpeg that read a film once, for its pictures, the fingerprint of its sound, or both.
 * @param request.sound index of the audio stream among all streams
 */
export function analysisArguments({
  input,
  pictures,
  sound,
}: {
  input: string
  pictures: PictureRequest | null
  sound: number | null
}): string[] {
  // The demuxer drops the packets of unused streams.
  const dropped = ['-sn', '-dn', ...(pictures === null ? ['-vn'] : []), ...(sound === null ? ['-an'] : [])]
  const decoded = pictures?.isKeyFramesOnly === true ? KEY_FRAME_ARGUMENTS : []
  const options = `-progress pipe:${PROGRESS_PIPE} -filter_threads 1 -threads 1`.split(' ')
  return [
    ...options,
    ...dropped,
    ...decoded,
    ...inputArguments(input),
    ...(pictures === null ? [] : pictureArguments(pictures)),
    ...(sound === null ? [] : soundArguments(sound)),
  ]
}

/**
 * Only key frames are decoded; some demuxers do not read the others. The deblocking filter is off: it takes an eighth of the time, and
 * changes small pictures by at most 4 of 255 levels.
 */
const KEY_FRAME_ARGUMENTS = '-discard:v nokey -skip_frame:v nokey -skip_loop_filter:v all'.split(' ')

function pictureArguments({ streamIndex, hdrTransfer, isKeyFramesOnly }: PictureRequest): string[] {
  const filters = [
    ...(isKeyFramesOnly ? [`setpts=PTS-${moveOf('T')}/TB`] : []),
    // Rounding up takes the last frame at or before each time. `start_time=0` repeats the first frame of a video that starts later.
    `fps=1/${PICTURE_INTERVAL_SECONDS}:start_time=0:round=up`,
    `scale=${scaledSize()}:flags=bilinear`,
    'setsar=1',
    // After scaling, because every step is slow.
    ...(hdrTransfer === null ? [] : toneMapFilters(hdrTransfer)),
    'format=rgb24',
    `pad=${PICTURE_WIDTH}:${PICTURE_HEIGHT}:-1:-1`,
  ]
  const output = `-c:v rawvideo -pix_fmt rgb24 -f rawvideo pipe:${PICTURE_PIPE}`.split(' ')
  return ['-map', `0:${streamIndex}`, '-an', '-sn', '-dn', '-vf', filters.join(','), ...output]
}

/** An expression for the seconds by which a key frame that is slightly too late is moved to the time of its picture. */
function moveOf(time: string): string {
  const late = `mod(${time}\\,${PICTURE_INTERVAL_SECONDS})`
  // The first frame stays: it is shown from 0 in any case, and ffmpeg shows nothing of a film that ends at 0.
  const isMoved = `gte(${time}\\,${PICTURE_INTERVAL_SECONDS})*lt(${late}\\,${MUXER_DELAY_SECONDS})`
  return `${isMoved}*${late}`
}

/**
 * Filter expressions for the largest size that fits the picture and keeps the display aspect ratio. Scaling so far down also removes the comb pattern of
 * interlaced frames.
 */
function scaledSize(): string {
  const [width, height] = [PICTURE_WIDTH, PICTURE_HEIGHT]
  const even = (size: string): string => `'max(2,2*round(${size}/2))'`
  return `w=${even(`min(${width},${height}*dar)`)}:h=${even(`min(${height},${width}/dar)`)}`
}

/**
 * The algorithm needs mono at 11,025 Hz. Sound that starts late or has gaps is filled with silence, so that the position of a
 * hash is its time.
 */
function soundArguments(streamIndex: number): string[] {
  const samples = '-vn -sn -dn -af aresample=async=1:first_pts=0 -ac 1 -ar 11025 -c:a pcm_s16le'.split(' ')
  const output = `-f chromaprint -fp_format raw pipe:${SOUND_PIPE}`.split(' ')
  return ['-map', `0:${streamIndex}`, ...samples, ...output]
}

function toneMapFilters(transfer: NonNullable<PictureRequest['hdrTransfer']>): string[] {
  return [
    `zscale=tin=${transfer}:min=bt2020nc:pin=bt2020:rin=tv:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ]
}
