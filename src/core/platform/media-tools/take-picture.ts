import { runTool } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { requireStarted } from './tool-presence.ts'

/** `none`: the stream is no picture, none that is whole, or a larger one than asked for. */
export type TakenPicture = { kind: 'taken'; bytes: Buffer } | { kind: 'none' } | { kind: 'fault'; fault: FileFault }

export type TakePictureOptions = { timeoutSeconds: number; maxBytes: number }

export type FrameWish = {
  input: string
  /** Where the search begins; null: at the start, for files that cannot be searched. */
  atSeconds: number | null
  /** Dark frames are passed over, for half a minute of the film. */
  isBright: boolean
}

/** No screen needs a wider one of what only stands for a picture. */
const FRAME_WIDTH = 1280

const SEARCHED_SECONDS = 30

/** A frame is dark when at least so many per cent of it are. */
const DARK_PERCENT = 90

/** Beside playback and scans: a page of films asks for many. */
const FRAME_NICENESS = 15

/**
 * See `MediaTools.takePicture`. Through a pipe, which ends ffmpeg when too much comes: `-fs` is asked between packets, and a picture is a
 * single one. ffmpeg may also end well and have written nothing.
 */
export async function takePicture(
  programs: Programs,
  { input, streamIndex }: { input: string; streamIndex: number },
  options: TakePictureOptions,
): Promise<TakenPicture> {
  const picture = ['-map', `0:${streamIndex}`, '-c', 'copy', '-frames:v', '1', ...TO_PIPE]
  return take(programs, { input, words: [...inputArguments(input), ...picture] }, options)
}

/**
 * See `MediaTools.takeFrame`. Only key frames are decoded, from the one before the place on: every other costs a hundred times as much.
 */
export async function takeFrame(
  programs: Programs,
  { input, atSeconds, isBright }: FrameWish,
  options: TakePictureOptions,
): Promise<TakenPicture> {
  const place = atSeconds === null ? [] : ['-noaccurate_seek', '-ss', atSeconds.toFixed(3)]
  const before = ['-threads', '1', ...place, '-skip_frame', 'nokey', '-t', `${SEARCHED_SECONDS}`]
  const after = [
    '-map',
    '0:V:0',
    '-vf',
    frameFilters(isBright),
    '-frames:v',
    '1',
    '-c:v',
    'mjpeg',
    '-q:v',
    '3',
    ...TO_PIPE,
  ]
  const words = [...before, ...inputArguments(input), ...after]
  return take(programs, { input, words, niceness: FRAME_NICENESS }, options)
}

/** With square pixels, so that nothing is shown narrower than it is. */
function frameFilters(isBright: boolean): string {
  const shape = ['scale=iw*sar:ih', 'setsar=1', `scale='min(${FRAME_WIDTH},iw)':-2`, 'format=yuvj420p']
  const bright = [
    'blackframe=amount=0',
    `metadata=mode=select:key=lavfi.blackframe.pblack:value=${DARK_PERCENT}:function=less`,
  ]
  return [...shape, ...(isBright ? bright : [])].join(',')
}

const TO_PIPE = ['-f', 'image2pipe', 'pipe:1']

type Programs = { program: string; quiet: readonly string[] }

async function take(
  { program, quiet }: Programs,
  { input, words, niceness }: { input: string; words: readonly string[]; niceness?: number },
  { timeoutSeconds, maxBytes }: TakePictureOptions,
): Promise<TakenPicture> {
  const result = await runTool({
    program,
    arguments: [...quiet, ...words],
    timeoutSeconds,
    stdoutLimitBytes: maxBytes,
    ...(niceness !== undefined && { niceness }),
  })
  requireStarted('ffmpeg', program, result)
  const fault = findFileFault(result.stderrTail, [input])
  if (fault !== null) return { kind: 'fault', fault }
  const isWhole = result.outcome === 'exited' && result.exitCode === 0 && result.stdout.length > 0
  return isWhole ? { kind: 'taken', bytes: result.stdout } : { kind: 'none' }
}
