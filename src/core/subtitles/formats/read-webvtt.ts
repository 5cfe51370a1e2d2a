import type { Cue } from './cue.ts'
import { parseTiming, type CueTiming } from './cue-times.ts'
import { writeCueText } from './cue-text.ts'
import { splitLines } from './split-lines.ts'
import { readMarkup } from './markup.ts'
import { filterCueSettings } from './cue-settings.ts'

const MAX_LINES = 50

/** Reads the cues of a WebVTT file (W3C WebVTT, 6.1). Notes, style sheets, regions and identifiers are dropped. */
export function* readWebVtt(text: string): Generator<Cue> {
  let timing: CueTiming | undefined
  let lines: string[] = []
  for (const line of splitLines(text)) {
    const next = parseTiming(line)
    if (next === undefined && line !== '') {
      if (timing !== undefined && lines.length < MAX_LINES) lines.push(line)
      continue
    }
    if (timing !== undefined) yield cueOf(timing, lines)
    timing = next
    lines = []
  }
  if (timing !== undefined) yield cueOf(timing, lines)
}

function cueOf({ startMilliseconds, endMilliseconds, settings }: CueTiming, lines: readonly string[]): Cue {
  const text = writeCueText(readMarkup(lines.join('\n')))
  return { startMilliseconds, endMilliseconds, text, settings: filterCueSettings(settings) }
}
