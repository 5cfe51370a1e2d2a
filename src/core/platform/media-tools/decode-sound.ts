import { runTool, type Isolation } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import type { BackgroundOptions } from './frame-metadata.ts'
import { requireStarted } from './tool-presence.ts'

export type SoundRequest = {
  input: string
  streamIndex: number
  fromSeconds: number
  seconds: number
  sampleRate: number
}

/** See `MediaTools.decodeSound`. */
export async function decodeSound(
  { program, quiet, isolation }: { program: string; quiet: readonly string[]; isolation: Isolation },
  { input, streamIndex, fromSeconds, seconds, sampleRate }: SoundRequest,
  { timeoutSeconds, niceness, signal }: BackgroundOptions,
): Promise<Float32Array | undefined> {
  const before = ['-vn', '-sn', '-dn', '-ss', fromSeconds.toFixed(3), '-t', seconds.toFixed(3)]
  const after = ['-map', `0:${streamIndex}`, '-ac', '1', '-ar', `${sampleRate}`, '-f', 's16le', 'pipe:1']
  const result = await runTool({
    program,
    arguments: [...quiet, ...before, ...inputArguments(input), ...after],
    timeoutSeconds,
    stdoutLimitBytes: Math.ceil((seconds + 1) * sampleRate) * 2,
    isolation,
    niceness,
    signal,
  })
  requireStarted('ffmpeg', program, result)
  signal?.throwIfAborted()
  if (result.outcome !== 'exited' || result.exitCode !== 0) return undefined
  const { stdout } = result
  return Float32Array.from({ length: stdout.length >> 1 }, (_, index) => stdout.readInt16LE(index * 2) / 32_768)
}
