import { runTool, type Isolation } from '../spawn/index.ts'
import { mediaToolErrors } from './errors.ts'
import { requireToolStarted, type ToolName } from './tool-presence.ts'

/** `text` as printed (`5.1.9-0+deb12u1`). The numbers are null for builds with another version scheme (`N-109542-g4f5`). */
export type ToolVersion = { text: string; major: number | null; minor: number | null }

/**
 * Reads the version of a program.
 * @throws AppError `tool_missing`, `tool_failed`
 */
export async function readToolVersion(
  tool: ToolName,
  { program, isolation }: { program: string; isolation: Isolation },
): Promise<ToolVersion> {
  const result = await runTool({ program, arguments: ['-hide_banner', '-version'], timeoutSeconds: 10, isolation })
  requireToolStarted(tool, program, result)
  const version = result.exitCode === 0 ? parseVersion(result.stdout.toString()) : undefined
  if (version === undefined) throw mediaToolErrors.tool_failed({ message: `${tool} did not print its version` })
  return version
}

/** Parses the first line of `ffmpeg -version`; undefined for the output of another program. */
function parseVersion(output: string): ToolVersion | undefined {
  const text = /^ff\w+ version (\S+)/.exec(output)?.[1]
  if (text === undefined) return undefined
  const numbers = /^n?(\d{1,4})\.(\d{1,4})/.exec(text)
  return {
    text,
    major: numbers === null ? null : Number(numbers[1]),
    minor: numbers === null ? null : Number(numbers[2]),
  }
}
