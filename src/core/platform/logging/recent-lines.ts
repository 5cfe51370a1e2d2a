import type { DestinationStream } from 'pino'
import { systemClock, type Clock } from '../time/index.ts'

/** The web client shows at most 2,000 lines. */
const MAX_LINES = 2000

/** Total number of characters; lines with stack traces can be long. */
const MAX_CHARACTERS = 1024 * 1024

/** The newest lines of this process's log, kept in memory for servers without log files. */
export type RecentLines = DestinationStream & {
  /** Oldest first, without line terminators. */
  lines(): readonly string[]
  characters(): number
  /** The time of the newest line, or of the process start. */
  lastWrittenAt(): Date
}

/** Keeps the newest lines within both limits and drops the oldest lines. The newest line is kept regardless of its length. */
export function createRecentLines(
  clock: Clock = systemClock,
  { maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS }: { maxLines?: number; maxCharacters?: number } = {},
): RecentLines {
  let kept: string[] = []
  // Index of the oldest line: shifting the array for each new line would cost more than logging itself.
  let first = 0
  let characters = 0
  let lastWrittenAt = clock.now()
  return {
    write(text) {
      const line = text.endsWith('\n') ? text.slice(0, -1) : text
      kept.push(line)
      characters += line.length
      lastWrittenAt = clock.now()
      while (kept.length - first > 1 && (kept.length - first > maxLines || characters > maxCharacters)) {
        characters -= kept[first]?.length ?? 0
        kept[first] = ''
        first += 1
      }
      if (first > maxLines) {
        kept = kept.slice(first)
        first = 0
      }
    },
    lines: () => kept.slice(first),
    characters: () => characters,
    lastWrittenAt: () => lastWrittenAt,
  }
}
