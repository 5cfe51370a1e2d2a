import { hasLetterOrDigit } from '../text/name-text.ts'
import { findFirstReleaseTag, leadingTagLength } from './release-tags.ts'

/** The length of sites (`www.x.org - `), groups (`[Group] `) and codecs before the title. A prefix that would leave nothing is not one. */
export function namePrefixLength(text: string): number {
  let length = 0
  for (;;) {
    const rest = text.slice(length)
    const taken = PREFIXES.map((measure) => measure(rest)).find((measured) => measured > 0) ?? 0
    if (taken === 0 || !hasLetterOrDigit(rest.slice(taken))) return length
    length += taken
  }
}

const PREFIXES = [
  (text: string) => text.length - text.trimStart().length,
  (text: string) => /^\[? ?www \S{1,60} [a-z]{2,4}\]? {0,2}-? {0,2}/i.exec(text)?.[0].length ?? 0,
  (text: string) => /^\(\d{1,2}\)/.exec(text)?.[0].length ?? 0,
  (text: string) => /^(?:\[(?! ?(?:18|19|20)\d\d ?\])[^\]]{1,60}\]|【[^】]{1,60}】)/u.exec(text)?.[0].length ?? 0,
  (text: string) => {
    const length = leadingTagLength(text)
    return length === 0 ? 0 : length + (/^ ?[-:]? ?/.exec(text.slice(length))?.[0].length ?? 0)
  },
  // A leading group, as within release folders. An article after the dash distinguishes it from a compound word (spider-man).
  (text: string) =>
    isSceneFile(text)
      ? (/^[a-z0-9]{2,8}-(?=(?:the|a|an|how|what|who|when|why|my|your) )/.exec(text)?.[0].length ?? 0)
      : 0,
]

function isSceneFile(text: string): boolean {
  return text === text.toLowerCase() && findFirstReleaseTag(text, 0) < text.length
}
