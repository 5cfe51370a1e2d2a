import { runTool } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import { findFileFault, type FileFault } from './file-fault.ts'
import { requireStarted } from './tool-presence.ts'

/** `none`: the stream is no picture, none that is whole, or a larger one than asked for. */
export type TakenPicture = { kind: 'taken'; bytes: Buffer } | { kind: 'none' } | { kind: 'fault'; fault: FileFault }

export type TakePictureOptions = { timeoutSeconds: number; largestBytes: number }

/**
 * See `MediaTools.takePicture`. Through a pipe, which ends ffmpeg when too much comes: `-fs` is asked between packets, and a picture is a
 * single one. ffmpeg may also end well and have written nothing.
 */
export async function takePicture(
  { program, quiet }: { program: string; quiet: readonly string[] },
  { input, streamIndex }: { input: string; streamIndex: number },
  { timeoutSeconds, largestBytes }: TakePictureOptions,
): Promise<TakenPicture> {
  const picture = ['-map', `0:${streamIndex}`, '-c', 'copy', '-frames:v', '1', '-f', 'image2pipe', 'pipe:1']
  const result = await runTool({
    program,
    arguments: [...quiet, ...inputArguments(input), ...picture],
    timeoutSeconds,
    stdoutLimitBytes: largestBytes,
  })
  requireStarted('ffmpeg', program, result)
  const fault = findFileFault(result.stderrTail, [input])
  if (fault !== null) return { kind: 'fault', fault }
  const isWhole = result.outcome === 'exited' && result.exitCode === 0 && result.stdout.length > 0
  return isWhole ? { kind: 'taken', bytes: result.stdout } : { kind: 'none' }
}
