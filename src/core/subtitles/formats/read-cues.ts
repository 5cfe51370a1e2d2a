import { setImmediate as yieldEventLoop } from 'node:timers/promises'
import { MAX_CUES, type Cue } from './cue.ts'
import { readSubRip } from './read-subrip.ts'
import { readSubStation } from './read-substation.ts'
import { readWebVtt } from './read-webvtt.ts'

/** Cues read before the event loop is yielded: a few milliseconds of work. */
const CUES_AT_ONCE = 500

/**
 * Returns the cues of a subtitle file, at most 100,000, in order of display and without duplicates. The format is detected from the first
 * lines, because extensions are unreliable. Cues that end before they begin or show nothing are dropped.
 */
export async function readCues(text: string): Promise<Cue[]> {
  const cues: Cue[] = []
  let read = 0
  for (const cue of readerOf(text)(text)) {
    read += 1
    if (read % CUES_AT_ONCE === 0) await yieldEventLoop()
    if (cue.text !== '' && cue.endMilliseconds > cue.startMilliseconds) cues.push(cue)
    if (cues.length >= MAX_CUES || read >= 10 * MAX_CUES) break
  }
  return distinctInOrder(cues)
}

const READERS = { vtt: readWebVtt, ass: readSubStation, srt: readSubRip }

function readerOf(text: string): (text: string) => Generator<Cue> {
  return READERS[detectSubtitleFormat(text)]
}

/** The format that the first lines of a text show. */
export function detectSubtitleFormat(text: string): keyof typeof READERS {
  const head = text.slice(0, 2000).trimStart()
  if (head.startsWith('WEBVTT')) return 'vtt'
  return /^\[(?:script info|v4\+? styles|events)\]/im.test(head) ? 'ass' : 'srt'
}

/** Layers of one line (shadow, outline) produce the same cue several times; duplicates are removed. */
function distinctInOrder(cues: readonly Cue[]): Cue[] {
  const seen = new Set<string>()
  const distinct = cues.filter(({ startMilliseconds, endMilliseconds, text }) => {
    const key = `${startMilliseconds} ${endMilliseconds} ${text}`
    return !seen.has(key) && seen.add(key)
  })
  return distinct.toSorted((a, b) => a.startMilliseconds - b.startMilliseconds || a.endMilliseconds - b.endMilliseconds)
}
