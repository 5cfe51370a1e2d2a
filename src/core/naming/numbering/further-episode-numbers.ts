import { findFirstReleaseTag } from '../release/release-tags.ts'

/** The end of the episode list of a file with several episodes, and its last number. */
type Continuation = { end: number; ending: number }

/** Separators between two numbers: `-`, ` - `, ` `, `&`, ` and `, ` en `, `~`. */
const JOINED = String.raw`(?:[ ]?(?:-|–|~|&|\+|_|and|en|et|und)[ ]?| ?)`

/** A further number with a letter before it (`E02`, `S01E02`) is accepted after any separator. */
const LETTERED = new RegExp(String.raw`^${JOINED}(?:s\d{1,4} ?)?ep? ?(\d{1,5})(?!\d)`, 'iu')
/** `x03` and `1x03` continue `1x02` only: `S01E02-x01` is an extra of an episode. */
const CROSSED = new RegExp(String.raw`^${JOINED}(?:s?\d{1,4}(?=x))?xe? ?(\d{1,5})(?!\d)`, 'iu')

/** A further number without a letter: the separator must touch both numbers, because `02x03 - 04 Title` is one episode. */
const BARE = /^[-~&+](\d{1,5})(?![\p{L}\p{N}])/u

/** ` en 4`, in Dutch names. */
const SPELLED = /^ (?:and|en|et|und|al|to) (\d{1,4})(?![\p{L}\p{N}])/iu

/**
 * Parses further numbers after the first episode number: `E24-E26`, `-04-15`, `x04x15`, ` - 02x04`. The last number is the ending one. A
 * number that does not increase belongs to the title (`S12E13-3_Acts_of_God`).
 * @param text the whole name with spaces for dots; @param from where the first number ends; @param first that number
 * @returns the end of the list and its last number, or undefined for a single episode
 */
export function parseFurtherEpisodeNumbers(text: string, from: number, first: number): Continuation | undefined {
  let found: Continuation | undefined
  const isCrossed = /[xх]e?p? ?\d{1,5}$/i.test(text.slice(Math.max(from - 8, 0), from))
  for (;;) {
    const at = found?.end ?? from
    const rest = text.slice(at, at + 32)
    const last = found?.ending ?? first
    const match = joinedNumber(rest, isCrossed) ?? nextNumber(text, at, last)
    const ending = Number(match?.[1])
    if (match === null || !(ending > last)) return found
    if (isResolution(ending, rest.slice(match[0].length))) return found
    found = { end: at + match[0].length, ending }
  }
}

function joinedNumber(rest: string, isCrossed: boolean): RegExpExecArray | null {
  return LETTERED.exec(rest) ?? (isCrossed ? CROSSED.exec(rest) : null) ?? BARE.exec(rest) ?? SPELLED.exec(rest)
}

/** `S03E21.22`, `8x01_02`: a dot or underscore joins only the next consecutive number, and only if no title follows. */
function nextNumber(text: string, at: number, number: number): RegExpExecArray | null {
  const match = /^ (\d{2})(?!\d)/.exec(text.slice(at, at + 4))
  if (match === null || Number(match[1]) !== number + 1) return null
  const end = at + match[0].length
  const isEnd = /^ ?(?:$|[-–[(])/u.test(text.slice(end))
  return isEnd || findFirstReleaseTag(text, end) === end + 1 ? match : null
}

/** `S09E14-720i`, `S01E02-1080` and `1x02x264` end with a number of the release. */
function isResolution(value: number, rest: string): boolean {
  return /^[pi]/i.test(rest) || [264, 265, 480, 576, 720, 1080, 2160].includes(value)
}
