import type { Cue } from './cue.ts'
import { formatTime } from './cue-times.ts'

/** Where the clock of our transport streams stands when the film begins (RFC 8216, 3.5; 90,000 ticks a second). */
const STREAM_CLOCK = 'X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000'

export type WebVttForm = {
  /** Added to every time. */
  shiftMilliseconds: number
  /** Whether it says how its clock stands to that of a stream, which a segment of HLS must. */
  hasStreamClock: boolean
}

/** Cues as a WebVTT file. What ends before the beginning is left out, what begins before it begins there. */
export function writeWebVtt(cues: readonly Cue[], { shiftMilliseconds, hasStreamClock }: WebVttForm): string {
  const blocks = [hasStreamClock ? `WEBVTT\n${STREAM_CLOCK}` : 'WEBVTT']
  for (const { startMilliseconds, endMilliseconds, settings, text } of cues) {
    const end = endMilliseconds + shiftMilliseconds
    if (end <= 0) continue
    const start = formatTime(Math.max(0, startMilliseconds + shiftMilliseconds))
    blocks.push(`${start} --> ${formatTime(end)}${settings === '' ? '' : ` ${settings}`}\n${text}`)
  }
  return `${blocks.join('\n\n')}\n`
}
