import type { DestinationStream } from 'pino'
import { systemClock, type Clock } from '../time/index.ts'

/** A page of the web client shows 2,000 lines at most. */
const MAX_LINES = 2000

/** Characters of all lines together; with stacks of errors they can be long. */
const MAX_CHARACTERS = 1024 * 1024

/** The newest lines of this process's log, in memory: for administrators of a server that writes no log files. */
export type RecentLines = DestinationStream & {
  /** Oldest first, without line ends. */
  lines(): readonly string[]
  characters(): number
  /** When the newest was written; when the process began where there is none. */
  lastWrittenAt(): Date
}

/** Keeps the newest lines, within both limits; the oldest go first. The newest line stays whatever its length. */
export function createRecentLines(
  clock: Clock = systemClock,
  { maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS }: { maxLines?: number; maxCharacters?: number } = {},
): RecentLines {
  let kept: string[] = []
  // Where the oldest line is: moving all lines with each new one would cost more than logging does.
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
