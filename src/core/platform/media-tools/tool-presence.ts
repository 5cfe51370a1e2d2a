import type { ToolResult } from '../spawn/index.ts'
import { mediaToolErrors } from './errors.ts'

export type ToolName = 'ffmpeg' | 'ffprobe'

/** Exit code of the shell and of setpriv for a file that cannot be executed. */
const NOT_EXECUTABLE = 126

/**
 * Rejects the result of a program that was not started.
 * @throws AppError `tool_missing` with the Debian package of the program as hint; `tool_failed` when the system refused its restrictions
 */
export function requireToolStarted(tool: ToolName, program: string, result: Omit<ToolResult, 'stdout'>): void {
  const { outcome, exitCode, signal, stderrTail } = result
  if (outcome === 'not_isolated') {
    throw mediaToolErrors.tool_failed({
      message: `${tool} was not started, because a limit was refused: ${stderrTail.trim().replace(/^\w+: /, '')}`,
    })
  }
  const isNotStarted = outcome === 'exited' && (exitCode === NOT_EXECUTABLE || (exitCode === null && signal === null))
  if (outcome !== 'not_found' && !isNotStarted) return
  throw mediaToolErrors.tool_missing({
    message: `${tool} cannot be started${program === tool ? '' : ` as ${program}`}`,
    details: { tool },
    hint: `apt-get install ffmpeg, or set media.${tool} to its path`,
  })
}
