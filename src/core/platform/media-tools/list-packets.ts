import { runFfprobe, type Ffprobe } from './run-ffprobe.ts'

/** One packet of a stream, in the time base of the file. */
export type PacketFacts = Readonly<{
  microseconds: number
  /** Duration of presentation; 0 when the container does not store it. */
  durationMicroseconds: number
  isKey: boolean
  bytes: number
  /** Byte offset in the file; null when the container does not store it. */
  position: number | null
}>

/** A day at sixty frames per second exceeds it by a third; such a film is then not copied. */
const OUTPUT_LIMIT_BYTES = 192 * 1024 * 1024

const LINE = /^(-?\d{1,12}\.\d{6}),(?:(\d{1,9}\.\d{6})|N\/A),(\d{1,10}),(?:(\d{1,15})|N\/A),([A-Z_]+)/

/** See `MediaTools.listPackets`. */
export async function listPackets(
  ffprobe: Ffprobe,
  path: string,
  options: { streamIndex: number | 'sound'; timeoutSeconds: number; signal?: AbortSignal | undefined },
): Promise<PacketFacts[] | undefined> {
  const { streamIndex, timeoutSeconds, signal } = options
  const shown = ['-show_entries', 'packet=pts_time,duration_time,size,pos,flags', '-of', 'csv=p=0']
  const selected = ['-select_streams', streamIndex === 'sound' ? 'a' : `${streamIndex}`]
  const result = await runFfprobe(ffprobe, {
    args: ['-v', 'error', ...selected, ...shown],
    path,
    timeoutSeconds,
    stdoutLimitBytes: OUTPUT_LIMIT_BYTES,
    signal,
  })
  signal?.throwIfAborted()
  if (result.outcome === 'timed_out' || result.outcome === 'too_much_output') return undefined
  return result.exitCode === 0 ? parsePackets(result.stdout.toString('latin1')) : []
}

/** Empty when a packet has no time, because the presentation times are then unknown. */
function parsePackets(text: string): PacketFacts[] {
  const parsed: PacketFacts[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const match = LINE.exec(line)
    if (match === null) return []
    const [, at = '', duration = '0', bytes = '', position, flags = ''] = match
    parsed.push({
      microseconds: microsecondsOf(at),
      durationMicroseconds: microsecondsOf(duration),
      isKey: flags.startsWith('K'),
      bytes: Number(bytes),
      position: position === undefined ? null : Number(position),
    })
  }
  return parsed
}

/** ffprobe prints six decimals, so that the conversion is exact. */
function microsecondsOf(seconds: string): number {
  return Math.round(Number(seconds) * 1_000_000)
}
