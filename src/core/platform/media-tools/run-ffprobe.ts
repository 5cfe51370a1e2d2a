import { runTool, type Isolation, type ToolResult } from '../spawn/index.ts'
import { refusedDecoders } from './decoders.ts'
import { inputArguments } from './file-arguments.ts'
import { requireToolStarted } from './tool-presence.ts'

export type Ffprobe = { program: string; isolation: Isolation }

export type FfprobeRun = {
  /** Arguments without the file. */
  args: readonly string[]
  /** Absolute path. */
  path: string
  timeoutSeconds: number
  stdoutLimitBytes: number
  signal?: AbortSignal | undefined
}

/** Maximum number of runs for one file: in the worst case each run of ffprobe reports one refused decoder. */
const MAX_RUNS = 5

/**
 * Runs ffprobe on a file. ffprobe stops at the first stream whose decoder it may not open (measured with 5.1), although it does not decode
 * for its output. It is then run again with the refused decoders allowed. They receive no packets: the stream analysis still uses the
 * restricted list.
 * @throws AppError `tool_missing`, `tool_failed`
 */
export async function runFfprobe({ program, isolation }: Ffprobe, run: FfprobeRun): Promise<ToolResult> {
  const { args, path, ...limits } = run
  const opened = new Set<string>()
  for (let count = 1; ; count += 1) {
    const input = inputArguments(path, { openedDecoders: [...opened] })
    const result = await runTool({ program, arguments: [...args, ...input], isolation, ...limits })
    requireToolStarted('ffprobe', program, result)
    const refused = result.exitCode === 0 ? [] : refusedDecoders(result.stderrTail).filter((name) => !opened.has(name))
    if (refused.length === 0 || count === MAX_RUNS) return result
    for (const name of refused) opened.add(name)
  }
}
