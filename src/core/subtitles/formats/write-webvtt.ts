import type { Cue } from './cue.ts'
import { formatTime } from './cue-times.ts'

export type WebVttForm = {
  /** Added to every time. */
  shiftMilliseconds: number
  /** Where the clock of a stream stands at zero, which a segment of HLS has to say (RFC 8216, 3.5); null for a text of its own. */
  streamClockTicks: number | null
}

/** Cues as a WebVTT file. What ends before the beginning is left out, what begins before it begins there. */
export function writeWebVtt(cues: readonly Cue[], { shiftMilliseconds, streamClockTicks }: WebVttForm): string {
  const clock = `X-TIMESTAMP-MAP=MPEGTS:${streamClockTicks},LOCAL:00:00:00.000`
  const blocks = [streamClockTicks === null ? 'WEBVTT' : `WEBVTT\n${clock}`]
  for (const { startMilliseconds, endMilliseconds, settings, text } of cues) {
    const end = endMilliseconds + shiftMilliseconds
    if (end <= 0) continue
    const start = formatTime(Math.max(0, startMilliseconds + shiftMilliseconds))
    blocks.push(`${start} --> ${formatTime(end)}${settings === '' ? '' : ` ${settings}`}\n${text}`)
  }
  return `${blocks.join('\n\n')}\n`
}
