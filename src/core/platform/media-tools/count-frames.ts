import { runTool, type Isolation, type ToolResult } from '../spawn/index.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments } from './file-arguments.ts'
import { requireToolStarted } from './tool-presence.ts'

/** How decoding ended, and the number of frames that ffmpeg decoded. */
export type DecodedFrames = Omit<ToolResult, 'stdout'> & { frames: number }

/** See `MediaTools.countFrames`. */
export async function countFrames(
  {
    program,
    commonArguments,
    isolation,
  }: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  path: string,
  { timeoutSeconds, signal }: { timeoutSeconds: number; signal?: AbortSignal | undefined },
): Promise<DecodedFrames> {
  const output = ['-map', '0:v:0', '-f', 'null', '-progress', 'pipe:1', '-']
  const args = [...commonArguments, ...inputArguments(path), ...output]
  const { stdout, ...result } = await runTool({ program, arguments: args, timeoutSeconds, signal, isolation })
  requireToolStarted('ffmpeg', program, result)
  return { ...result, stderrTail: withoutDecoderLists(result.stderrTail), frames: parseFrames(stdout.toString()) }
}

/** ffmpeg reports the number of frames so far several times; the last one counts. */
function parseFrames(progress: string): number {
  return Number([...progress.matchAll(/^frame=(\d{1,9})$/gm)].at(-1)?.[1] ?? 0)
}
