import { runTool, type Isolation } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import { requireToolStarted } from './tool-presence.ts'

export type FrameMetadataRequest = {
  input: string
  streamIndex: number
  /** Where reading begins. */
  fromSeconds: number
  /** How much is read; undefined: to the end. */
  seconds?: number
  /** Decodes key frames only, which costs a twentieth. */
  isKeyFramesOnly: boolean
  /** ffmpeg filters whose metadata are wanted. */
  filters: readonly string[]
}

export type BackgroundOptions = { timeoutSeconds: number; niceness: number; signal?: AbortSignal | undefined }

/** The values that ffmpeg filters attached to one frame. `seconds` counts from the start of the film. */
export type FrameMetadata = Readonly<{ seconds: number; values: ReadonlyMap<string, number> }>

/** The metadata of a frame are about 1 KB. */
const OUTPUT_LIMIT_BYTES = 32 * 1024 * 1024

const FRAME_LINE = /^frame:\d{1,9} {1,9}pts:-?\d{1,19} {1,19}pts_time:(-?\d{1,12}(?:\.\d{1,12})?)/
const VALUE_LINE = /^lavfi\.([\w.]{1,60})=(-?\d{1,12}(?:\.\d{1,12})?)$/

/** See `MediaTools.frameMetadata`. */
export async function frameMetadata(
  {
    program,
    commonArguments,
    isolation,
  }: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  request: FrameMetadataRequest,
  { timeoutSeconds, niceness, signal }: BackgroundOptions,
): Promise<FrameMetadata[] | undefined> {
  const { input, streamIndex, fromSeconds, seconds, isKeyFramesOnly, filters } = request
  const length = seconds === undefined ? [] : ['-t', seconds.toFixed(3)]
  const frames = isKeyFramesOnly ? ['-skip_frame', 'nokey'] : []
  const before = ['-threads', '1', ...frames, '-ss', fromSeconds.toFixed(3), ...length, '-an', '-sn', '-dn']
  const chain = [...filters, 'metadata=mode=print:file=-'].join(',')
  const after = ['-map', `0:${streamIndex}`, '-vf', chain, '-f', 'null', '-']
  const result = await runTool({
    program,
    arguments: [...commonArguments, ...before, ...inputArguments(input), ...after],
    timeoutSeconds,
    stdoutLimitBytes: OUTPUT_LIMIT_BYTES,
    isolation,
    niceness,
    signal,
  })
  requireToolStarted('ffmpeg', program, result)
  signal?.throwIfAborted()
  if (result.outcome !== 'exited' || result.exitCode !== 0) return undefined
  return readFrameMetadata(result.stdout.toString('latin1'), fromSeconds)
}

/** Reads the output of ffmpeg's filter `metadata`; other lines are skipped. Pure. */
export function readFrameMetadata(text: string, fromSeconds: number): FrameMetadata[] {
  const frames: { seconds: number; values: Map<string, number> }[] = []
  for (const line of text.split('\n')) {
    const [, seconds] = FRAME_LINE.exec(line) ?? []
    if (seconds !== undefined) frames.push({ seconds: fromSeconds + Number(seconds), values: new Map() })
    const [, name, value] = VALUE_LINE.exec(line) ?? []
    if (name !== undefined) frames.at(-1)?.values.set(name, Number(value))
  }
  return frames
}
