import { runTool, type Isolation } from '../spawn/index.ts'
import { mediaToolErrors } from './errors.ts'
import { outputPath } from './file-arguments.ts'
import { requireToolStarted } from './tool-presence.ts'

const TIMEOUT_SECONDS = 120

export type ClipOptions = {
  durationSeconds: number
  /** Size of the picture in pixels. */
  size: Readonly<{ width: number; height: number }>
  /** Niceness of the encoder, 0 to 19. */
  niceness: number
  signal?: AbortSignal | undefined
}

/** See `MediaTools.makeClip`. */
export async function makeClip(
  {
    program,
    commonArguments,
    isolation,
  }: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  output: string,
  { durationSeconds: seconds, size: { width, height }, niceness, signal }: ClipOptions,
): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=24000/1001:duration=${seconds}`]
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '48', '-c:a', 'aac']
  const args = [...commonArguments, '-y', ...picture, ...tone, ...codecs, outputPath(output)]
  const timeoutSeconds = TIMEOUT_SECONDS
  const result = await runTool({ program, arguments: args, timeoutSeconds, niceness, signal, isolation })
  signal?.throwIfAborted()
  requireToolStarted('ffmpeg', program, result)
  if (result.outcome === 'exited' && result.exitCode === 0) return
  throw mediaToolErrors.tool_failed({ message: `ffmpeg cannot make a film: ${result.stderrTail.slice(-500).trim()}` })
}
