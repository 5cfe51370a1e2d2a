import type { Cue } from './cue.ts'
import { parseTiming, type CueTiming } from './cue-times.ts'
import { writeCueText } from './cue-text.ts'
import { splitLines } from './split-lines.ts'
import { readMarkup } from './markup.ts'
import { parsePositionOverride, cueSettingsForPosition } from './cue-settings.ts'

/** Limit of lines per cue; further lines are dropped. */
const MAX_LINES = 50

/**
 * Reads the cues of a SubRip file. A cue consists of the lines between two timing lines, without the number directly before the next
 * timing line. Missing numbers and empty lines inside a text are therefore harmless.
 */
export function* readSubRip(text: string): Generator<Cue> {
  let timing: CueTiming | undefined
  let lines: string[] = []
  for (const line of splitLines(text)) {
    const next = parseTiming(line)
    if (next === undefined) {
      if (timing !== undefined && lines.length <= MAX_LINES) lines.push(line)
      continue
    }
    if (timing !== undefined) yield cueOf(timing, withoutNumber(lines))
    timing = next
    lines = []
  }
  if (timing !== undefined) yield cueOf(timing, lines)
}

function withoutNumber(lines: readonly string[]): readonly string[] {
  const isNumber = /^\s{0,20}\d{1,9}\s{0,20}$/.test(lines.at(-1) ?? '')
  return isNumber ? lines.slice(0, -1) : lines
}

function cueOf({ startMilliseconds, endMilliseconds }: CueTiming, lines: readonly string[]): Cue {
  const text = lines.join('\n').trim()
  const settings = cueSettingsForPosition(parsePositionOverride(text) ?? 2)
  return { startMilliseconds, endMilliseconds, text: writeCueText(readMarkup(text)), settings }
}
