import { inputArguments, pipeArguments } from './file-arguments.ts'

/** Size of a picture of the time line in pixels. */
export const PICTURE_WIDTH = 160
export const PICTURE_HEIGHT = 90
/** Size of one picture: 3 bytes for each pixel, red, green, blue. */
export const PICTURE_BYTES = PICTURE_WIDTH * PICTURE_HEIGHT * 3
/** Seconds between two pictures. */
export const PICTURE_INTERVAL_SECONDS = 10

/**
 * Muxers move the video by the delay of its encoder or of the sound, up to two frames and 0.05 s. A key frame that is later than the time
 * of a picture by at most this is used for it; otherwise the picture would show the previous key frame.
 */
const MUXER_DELAY_SECONDS = 0.1

/** What is read of the video stream of a film. */
export type PictureRequest = {
  /** Position among all streams of the file. */
  streamIndex: number
  /** The transfer function of a stream with high dynamic range, if it must be converted; null otherwise. */
  hdrTransfer: 'smpte2084' | 'arib-std-b67' | null
  /**
   * What is decoded. With key frames a picture is the last key frame at or before its time, at a twentieth of the processor time. `shown`:
   * only the key frames that are such a picture; a separate process selects them.
   */
  frames: 'shown_key' | 'key' | 'all'
}

/** The file descriptors of the outputs of an analysis. */
export const PICTURE_PIPE = 1
export const SOUND_PIPE = 3
export const PROGRESS_PIPE = 4
/** Pipe that, with `shown_key`, receives bytes if the film has key frames that cannot be selected. */
export const UNSELECTABLE_FRAMES_PIPE = 5

type FilmParts = { input: string; pictures: PictureRequest | null; sound: number | null }

/**
 * The arguments of ffmpeg that read a film once, for its pictures, the fingerprint of its sound, or both.
 * @param request.sound index of the audio stream among all streams
 */
export function analysisArguments({ input, pictures, sound }: FilmParts): string[] {
  // The demuxer drops the packets of unused streams.
  const dropped = ['-sn', '-dn', ...(pictures === null ? ['-vn'] : []), ...(sound === null ? ['-an'] : [])]
  return [
    ...`-progress pipe:${PROGRESS_PIPE}`.split(' '),
    ...ONE_THREAD,
    ...dropped,
    ...(pictures === null ? [] : READ_FRAMES[pictures.frames]),
    ...inputArguments(input),
    ...(pictures === null ? [] : videoArguments(pictures)),
    ...(sound === null ? [] : soundArguments(sound)),
  ]
}

/** The arguments of the ffmpeg that decodes the selected key frames. It reads them from its standard input. */
export function decoderArguments(pictures: PictureRequest): string[] {
  // The packets have the times of the film. ffmpeg does not examine them further, which would decode many frames.
  const times = '-copyts -probesize 4096 -analyzeduration 0'.split(' ')
  return [...ONE_THREAD, ...READ_FRAMES.key, ...times, ...pipeArguments(PACKET_FORMAT), ...pictureArguments(pictures)]
}

const ONE_THREAD = '-filter_threads 1 -threads 1'.split(' ')

/** The format of the selected packets: its times are milliseconds, and it keeps the aspect ratio. It does not keep a rotation. */
const PACKET_FORMAT = 'matroska'

/**
 * Only key frames are decoded; some demuxers do not even read the other frames. The deblocking filter is off: it takes an eighth of the
 * time, and changes small pictures by at most 4 of 255 levels.
 */
const KEY_FRAME_ARGUMENTS = '-discard:v nokey -skip_frame:v nokey -skip_loop_filter:v all'.split(' ')

const READ_FRAMES = { shown_key: ['-discard:v', 'nokey'], key: KEY_FRAME_ARGUMENTS, all: [] } as const

function videoArguments(pictures: PictureRequest): string[] {
  const mapped = ['-map', `0:${pictures.streamIndex}`, '-an', '-sn', '-dn']
  return [
    ...mapped,
    ...(pictures.frames === 'shown_key' ? selectionArguments(pictures.streamIndex) : pictureArguments(pictures)),
  ]
}

/**
 * Copies the key frames of H.264 that are the last one at or before the time of a picture, and the first of the film. Decoding takes most
 * of the time, and films have up to ten times as many key frames. Key frames that do not reset the decoder (of open groups of pictures)
 * cannot be selected, because their order cannot be determined without the frames between them. They are written to a separate pipe.
 */
function selectionArguments(streamIndex: number): string[] {
  const interval = PICTURE_INTERVAL_SECONDS
  // A moved time equals the time of a picture, or is later by at least the tolerated delay: half of it makes up for rounded times.
  const tolerance = MUXER_DELAY_SECONDS / 2
  const nextPicture = `${interval}*ceil((${movedTime('(PTS*TB)')}-${tolerance})/${interval})`
  // The last key frame has no following key frame.
  const isShown = `not(N)+not(gt(NEXT_PTS\\,PTS))+gt(${movedTime('(NEXT_PTS*TB)')}\\,${tolerance}+${nextPicture})`
  const filters = [
    KEY_PACKETS,
    // Slices of IDR pictures; lower numbers are slices of other pictures (ITU-T H.264 table 7-1).
    'filter_units=pass_types=5',
    // Without other frames the order of decoding is the order of the times. `noise` drops packets, and it does not know the next packet.
    `setts=pts=PTS:dts=PTS:duration=gt(${isShown}\\,0)`,
    'noise=drop=not(d)',
    `setts=pts=PTS:dts=PTS:duration=${KEY_FRAME_SECONDS}/TB`,
  ]
  // `tee` keeps the time base of the film. Others change it after the filters have read it (ffmpeg 5.1), so that TB is wrong.
  const output = ['-f', 'tee', `[f=${PACKET_FORMAT}]pipe:${PICTURE_PIPE}`]
  // The tag of a transport stream has no meaning there.
  const selected = ['-c:v', 'copy', '-tag:v', 'avc1', '-bsf:v', filters.join(','), ...output]
  const unselectable = [KEY_PACKETS, 'filter_units=pass_types=1-4'].join(',')
  const other = ['-map', `0:${streamIndex}`, '-c:v', 'copy', '-bsf:v', unselectable, '-f', 'data']
  return [...selected, ...other, `pipe:${UNSELECTABLE_FRAMES_PIPE}`]
}

const KEY_PACKETS = 'noise=drop=not(key)'

/**
 * The duration that selected key frames get, about the duration of a frame. The duration of the last one determines the end of the film.
 */
const KEY_FRAME_SECONDS = 0.04

/** An expression for the time of a key frame as its picture counts it. */
function movedTime(time: string): string {
  return `(${time}-${moveOf(time)})`
}

function pictureArguments({ hdrTransfer, frames }: PictureRequest): string[] {
  const filters = [
    ...(frames === 'all' ? [] : [`setpts=PTS-${moveOf('T')}/TB`]),
    // Rounding up takes the last frame at or before each time. `start_time=0` repeats the first frame of a video that starts later.
    `fps=1/${PICTURE_INTERVAL_SECONDS}:start_time=0:round=up`,
    `scale=${scaledSize()}:flags=bilinear`,
    'setsar=1',
    // Tone mapping runs after scaling, because each of its steps is slow.
    ...(hdrTransfer === null ? [] : toneMapFilters(hdrTransfer)),
    'format=rgb24',
    `pad=${PICTURE_WIDTH}:${PICTURE_HEIGHT}:-1:-1`,
  ]
  const output = `-c:v rawvideo -pix_fmt rgb24 -f rawvideo pipe:${PICTURE_PIPE}`.split(' ')
  return ['-vf', filters.join(','), ...output]
}

/** An expression for the seconds by which a key frame that is slightly too late is moved to the time of its picture. */
function moveOf(time: string): string {
  const late = `mod(${time}\\,${PICTURE_INTERVAL_SECONDS})`
  // The first frame stays: it is shown from 0 in any case, and ffmpeg shows nothing of a film that ends at 0.
  const isMoved = `gte(${time}\\,${PICTURE_INTERVAL_SECONDS})*lt(${late}\\,${MUXER_DELAY_SECONDS})`
  return `${isMoved}*${late}`
}

/**
 * Filter expressions for the largest size that fits the picture and keeps the display aspect ratio. Scaling so far down also removes the
 * comb pattern of interlaced frames.
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
