import { runTool, type Isolation } from '../spawn/index.ts'
import { inputArguments } from './file-arguments.ts'
import type { BackgroundOptions } from './frame-metadata.ts'
import { requireToolStarted } from './tool-presence.ts'

export type AudioDecodeRequest = {
  input: string
  streamIndex: number
  fromSeconds: number
  seconds: number
  sampleRate: number
}

/** See `MediaTools.decodeAudio`. */
export async function decodeAudio(
  {
    program,
    commonArguments,
    isolation,
  }: { program: string; commonArguments: readonly string[]; isolation: Isolation },
  { input, streamIndex, fromSeconds, seconds, sampleRate }: AudioDecodeRequest,
  { timeoutSeconds, niceness, signal }: BackgroundOptions,
): Promise<Float32Array | undefined> {
  const before = ['-vn', '-sn', '-dn', '-ss', fromSeconds.toFixed(3), '-t', seconds.toFixed(3)]
  const after = [
    '-map',
    `0:${streamIndex}`,
    '-af',
    'aresample=async=1:first_pts=0',
    '-ac',
    '1',
    '-ar',
    `${sampleRate}`,
    '-f',
    's16le',
    'pipe:1',
  ]
  const result = await runTool({
    program,
    arguments: [...commonArguments, ...before, ...inputArguments(input), ...after],
    timeoutSeconds,
    stdoutLimitBytes: Math.ceil((seconds + 1) * sampleRate) * 2,
    isolation,
    niceness,
    signal,
  })
  requireToolStarted('ffmpeg', program, result)
  signal?.throwIfAborted()
  if (result.outcome !== 'exited' || result.exitCode !== 0) return undefined
  const samples = new Float32Array(result.stdout.length >> 1)
  for (let index = 0; index < samples.length; index += 1) samples[index] = result.stdout.readInt16LE(index * 2) / 32_768
  return samples
}
