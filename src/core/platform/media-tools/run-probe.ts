import { describeError } from '../errors/index.ts'
import type { Logger } from '../logging/index.ts'
import type { ToolResult } from '../spawn/index.ts'
import { mediaToolErrors } from './errors.ts'
import { withoutPaths } from './file-fault.ts'
import { runFfprobe, type Ffprobe } from './run-ffprobe.ts'

const TIME_LIMIT_SECONDS = 30
/** A hundred thousand chapters exceed it; they are then omitted. */
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024

const PROBE_ARGUMENTS = ['-v', 'error', '-print_format', 'json=compact=1', '-show_format', '-show_streams']

/** See `MediaTools.probe`. */
export async function runProbe(
  ffprobe: Ffprobe & { log: Logger },
  path: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const limits = { path, signal, timeoutSeconds: TIME_LIMIT_SECONDS, stdoutLimitBytes: OUTPUT_LIMIT_BYTES }
  let result = await runFfprobe(ffprobe, { ...limits, args: [...PROBE_ARGUMENTS, '-show_chapters'] })
  if (result.outcome === 'too_much_output') result = await runFfprobe(ffprobe, { ...limits, args: PROBE_ARGUMENTS })
  ffprobe.log.debug({ path, outcome: result.outcome, exitCode: result.exitCode, stderr: result.stderrTail }, 'probed')
  signal?.throwIfAborted()
  const refusal = refusalOf(result, path)
  if (refusal !== undefined) throw refusal
  try {
    return JSON.parse(result.stdout.toString('utf8')) as unknown
  } catch (error) {
    throw mediaToolErrors.tool_failed({ message: `ffprobe did not print JSON: ${describeError(error)}`, cause: error })
  }
}

function refusalOf({ outcome, exitCode, signal, stderrTail }: ToolResult, path: string): Error | undefined {
  if (outcome === 'timed_out') {
    return mediaToolErrors.tool_failed({ message: `ffprobe did not answer within ${TIME_LIMIT_SECONDS} s` })
  }
  if (outcome === 'too_much_output') {
    return mediaToolErrors.unreadable_media({ message: 'the file declares too many streams' })
  }
  if (exitCode === null) return mediaToolErrors.tool_failed({ message: `ffprobe was terminated by ${signal}` })
  if (exitCode === 0) return undefined
  return mediaToolErrors.unreadable_media({
    message: reasonOf(withoutPaths(stderrTail, [path])),
    cause: new Error(stderrTail.trim()),
  })
}

/** Reasons that are shown to users. ffprobe's own message is in the cause and in the log. */
const REASONS: [printed: RegExp, reason: string][] = [
  [/(?:Format|Protocol '[^']{1,20}') not on whitelist/i, 'a playlist, script or other kind of file that is not opened'],
  [/moov atom not found/, 'not a media file, or its end with the index is missing'],
  [/Permission denied/, 'the file may not be read'],
  [/No such file or directory/, 'the file is no longer there'],
  [/Input\/output error/, 'the disk answers with an error'],
  [/End of file/, 'cut off after its first bytes'],
  [/Invalid data found/, 'not a media file, or damaged beyond reading'],
]

function reasonOf(errorOutput: string): string {
  return REASONS.find(([printed]) => printed.test(errorOutput))?.[1] ?? 'not readable as media'
}
