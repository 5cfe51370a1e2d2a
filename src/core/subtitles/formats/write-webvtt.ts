import type { Cue } from './cue.ts'
import { formatCueTime } from './cue-times.ts'

export type WebVttOptions = {
  /** Added to every timestamp. */
  shiftMilliseconds: number
  /** Stream clock at zero, which an HLS segment must announce (RFC 8216, 3.5); null for a standalone text. */
  streamClockTicks: number | null
}

/** Serialises cues as a WebVTT file. Cues that end before zero are dropped; cues that begin before zero begin at zero. */
export function writeWebVtt(cues: readonly Cue[], { shiftMilliseconds, streamClockTicks }: WebVttOptions): string {
  const clock = `X-TIMESTAMP-MAP=MPEGTS:${streamClockTicks},LOCAL:00:00:00.000`
  const blocks = [streamClockTicks === null ? 'WEBVTT' : `WEBVTT\n${clock}`]
  for (const { startMilliseconds, endMilliseconds, settings, text } of cues) {
    const end = endMilliseconds + shiftMilliseconds
    if (end <= 0) continue
    const start = formatCueTime(Math.max(0, startMilliseconds + shiftMilliseconds))
    blocks.push(`${start} --> ${formatCueTime(end)}${settings === '' ? '' : ` ${settings}`}\n${text}`)
  }
  return `${blocks.join('\n\n')}\n`
}
