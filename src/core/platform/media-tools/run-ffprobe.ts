import { runTool, type Isolation, type ToolResult } from '../spawn/index.ts'
import { refusedDecoders } from './decoders.ts'
import { inputArguments } from './file-arguments.ts'
import { requireStarted } from './tool-presence.ts'

export type Ffprobe = { program: string; isolation: Isolation }

export type FfprobeRun = {
  /** What is asked, without the file. */
  words: readonly string[]
  /** Absolute. */
  path: string
  timeoutSeconds: number
  stdoutLimitBytes: number
  signal?: AbortSignal | undefined
}

/** ffprobe names one refused decoder in each run at worst. */
const MOST_RUNS = 5

/**
 * Asks ffprobe about a file. It ends at the first stream whose decoder it may not open (measured with 5.1), although it decodes nothing
 * for its answer; then it is run again and may open the decoders that it named. They get no packet: what looks into the streams
 * keeps to the list of decoders.
 * @throws AppError `tool_missing`, `tool_failed`
 */
export async function runFfprobe({ program, isolation }: Ffprobe, run: FfprobeRun): Promise<ToolResult> {
  const { words, path, ...limits } = run
  const opened = new Set<string>()
  for (let count = 1; ; count += 1) {
    const input = inputArguments(path, { openedDecoders: [...opened] })
    const result = await runTool({ program, arguments: [...words, ...input], isolation, ...limits })
    requireStarted('ffprobe', program, result)
    const refused = result.exitCode === 0 ? [] : refusedDecoders(result.stderrTail).filter((name) => !opened.has(name))
    if (refused.length === 0 || count === MOST_RUNS) return result
    for (const name of refused) opened.add(name)
  }
}
