import { runTool, type Isolation } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { requireToolStarted } from './tool-presence.ts'

/** `none`: the stream has no complete picture, or its picture exceeds the size limit. */
export type ExtractedPicture = { kind: 'taken'; bytes: Buffer } | { kind: 'none' } | { kind: 'fault'; fault: FileFault }

export type ExtractPictureOptions = { timeoutSeconds: number; maxBytes: number }

export type FrameRequest = {
  input: string
  /** Where the search begins; null: at the start, for files that are not seekable. */
  atSeconds: number | null
  /** Skips dark frames, within thirty seconds of the film. */
  isBright: boolean
}

/** Sufficient for a frame that is used as a poster or thumbnail. */
const FRAME_WIDTH = 1280

const SEARCHED_SECONDS = 30

/** A frame is dark when at least this percentage of its pixels is dark. */
const DARK_PERCENT = 90

/** Below playback and scans: a page of films requests many frames. */
const FRAME_NICENESS = 15

/**
 * See `MediaTools.extractPicture`. The output is a pipe with a size limit, because ffmpeg checks `-fs` between packets only, and a picture
 * is a single packet. ffmpeg may also succeed without any output.
 */
export async function extractPicture(
  programs: Programs,
  { input, streamIndex }: { input: string; streamIndex: number },
  options: ExtractPictureOptions,
): Promise<ExtractedPicture> {
  const picture = ['-map', `0:${streamIndex}`, '-c', 'copy', '-frames:v', '1', ...PIPE_OUTPUT_ARGUMENTS]
  return extract(programs, { input, args: [...inputArguments(input), ...picture] }, options)
}

/**
 * See `MediaTools.extractFrame`. Only key frames are decoded, starting with the one before the position: decoding all frames would take a
 * hundred times as long.
 */
export async function extractFrame(
  programs: Programs,
  { input, atSeconds, isBright }: FrameRequest,
  options: ExtractPictureOptions,
): Promise<ExtractedPicture> {
  const seek = atSeconds === null ? [] : ['-noaccurate_seek', '-ss', atSeconds.toFixed(3)]
  const before = ['-threads', '1', ...seek, '-skip_frame', 'nokey', '-t', `${SEARCHED_SECONDS}`]
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
    ...PIPE_OUTPUT_ARGUMENTS,
  ]
  const args = [...before, ...inputArguments(input), ...after]
  return extract(programs, { input, args, niceness: FRAME_NICENESS }, options)
}

/** Converted to square pixels, so that the aspect ratio is correct. */
function frameFilters(isBright: boolean): string {
  const shape = ['scale=iw*sar:ih', 'setsar=1', `scale='min(${FRAME_WIDTH},iw)':-2`, 'format=yuvj420p']
  const bright = [
    'blackframe=amount=0',
    `metadata=mode=select:key=lavfi.blackframe.pblack:value=${DARK_PERCENT}:function=less`,
  ]
  return [...shape, ...(isBright ? bright : [])].join(',')
}

const PIPE_OUTPUT_ARGUMENTS = ['-f', 'image2pipe', 'pipe:1']

type Programs = { program: string; commonArguments: readonly string[]; isolation: Isolation }

async function extract(
  { program, commonArguments, isolation }: Programs,
  { input, args, niceness }: { input: string; args: readonly string[]; niceness?: number },
  { timeoutSeconds, maxBytes }: ExtractPictureOptions,
): Promise<ExtractedPicture> {
  const result = await runTool({
    program,
    arguments: [...commonArguments, ...args],
    timeoutSeconds,
    stdoutLimitBytes: maxBytes,
    isolation,
    ...(niceness !== undefined && { niceness }),
  })
  requireToolStarted('ffmpeg', program, result)
  const fault = findFileFault(result.stderrTail, [input])
  if (fault !== null) return { kind: 'fault', fault }
  const isWhole = result.outcome === 'exited' && result.exitCode === 0 && result.stdout.length > 0
  return isWhole ? { kind: 'taken', bytes: result.stdout } : { kind: 'none' }
}
