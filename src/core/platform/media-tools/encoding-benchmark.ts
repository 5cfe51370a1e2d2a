import { runTool, type Isolation, type ToolResult } from '../spawn/index.ts'
import { withoutDecoderLists } from './decoders.ts'
import { inputArguments, outputPath } from './file-arguments.ts'
import { requireToolStarted } from './tool-presence.ts'

/** The picture that is encoded: a filter graph that generates it, or a file with an absolute path. */
export type BenchmarkInput = { graph: string } | { path: string }

export type BenchmarkArguments = {
  input: BenchmarkInput
  /** Arguments before the input: devices, seeking. */
  before: readonly string[]
  /** Arguments of the output: maps, filters, codecs, format. */
  after: readonly string[]
  /** Absolute path. */
  output: string
}

export type BenchmarkOptions = { timeoutSeconds: number; signal?: AbortSignal | undefined }

/** Duration of ffmpeg's work without its start, and the processor time of all its threads, its start included. */
export type BenchmarkTimes = Readonly<{ realSeconds: number; processorSeconds: number }>

/** How a measured run ended. `times` is null if ffmpeg did not end its work. */
export type EncodingBenchmark = Omit<ToolResult, 'stdout'> & { times: BenchmarkTimes | null }

/** The level at which ffmpeg reports its times. */
const REPORTING = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'info', '-benchmark']

const TIMES = /^bench: utime=(\d{1,9}\.\d{3})s stime=(\d{1,9}\.\d{3})s rtime=(\d{1,9}\.\d{3})s$/m

/** ffmpeg reports whole milliseconds, and a very short run as zero. */
const SHORTEST_SECONDS = 0.001

/** See `MediaTools.benchmark`. */
export async function runEncodingBenchmark(
  { program, isolation }: { program: string; isolation: Isolation },
  { input, before, after, output }: BenchmarkArguments,
  { timeoutSeconds, signal }: BenchmarkOptions,
): Promise<EncodingBenchmark> {
  const source = 'path' in input ? inputArguments(input.path) : ['-f', 'lavfi', '-i', input.graph]
  const args = [...REPORTING, '-y', ...before, ...source, ...after, outputPath(output)]
  const { stdout: _, ...result } = await runTool({ program, arguments: args, timeoutSeconds, signal, isolation })
  requireToolStarted('ffmpeg', program, result)
  const stderrTail = withoutDecoderLists(result.stderrTail)
  return { ...result, stderrTail, times: parseBenchmarkTimes(stderrTail) }
}

/** Parses the times that ffmpeg reports with `-benchmark`; null if there are none. */
export function parseBenchmarkTimes(errorOutput: string): BenchmarkTimes | null {
  const [, user, system, real] = TIMES.exec(errorOutput) ?? []
  if (real === undefined) return null
  return {
    realSeconds: Math.max(Number(real), SHORTEST_SECONDS),
    processorSeconds: Math.max(Number(user) + Number(system), SHORTEST_SECONDS),
  }
}
