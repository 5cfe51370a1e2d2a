import { runTool, type Isolation } from '../spawn/index.ts'
import { requireToolStarted } from './tool-presence.ts'

/** Components that a build of ffmpeg may lack. */
export type ComponentKind = 'filters' | 'muxers' | 'encoders'

/**
 * `filters`: ` TSC zscale V->V …`; `muxers`: `  E chromaprint …`, several names are separated by commas; `encoders`: ` V....D libx264 …`.
 */
const COMPONENT_LINE = /^ {1,2}[A-Z.]{1,6} +([\w,-]{1,200}) /

/**
 * Reads the names of the filters, muxers or encoders of this ffmpeg; empty when it does not list them.
 * @throws AppError `tool_missing`, `tool_failed`
 */
export async function listComponents(
  kind: ComponentKind,
  { program, isolation }: { program: string; isolation: Isolation },
): Promise<ReadonlySet<string>> {
  const result = await runTool({ program, arguments: ['-hide_banner', `-${kind}`], timeoutSeconds: 10, isolation })
  requireToolStarted('ffmpeg', program, result)
  return parseComponents(result.exitCode === 0 ? result.stdout.toString() : '')
}

/** Parses the output of `ffmpeg -filters`, `-muxers` or `-encoders`. */
export function parseComponents(printed: string): ReadonlySet<string> {
  return new Set(printed.split('\n').flatMap((line) => COMPONENT_LINE.exec(line)?.[1]?.split(',') ?? []))
}
