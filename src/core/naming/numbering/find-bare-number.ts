import { scoreEpisodeNumber, type BareNumber, type NumberContext } from './number-score.ts'

/** Lookahead for what may follow a number: the other end of a range, or the marker of a last episode. */
const RANGE = String.raw`(?=(?:( ?[-~–] ?|[+&]| (?=\d{3}(?!\d)))(\d{1,4})(v\d)?(?![\p{L}\p{N}]))?)`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}])#?(\d{1,4}(?:\.5(?:\.\d)?)?)[a-d]?(?: ?v\d)?(?: ?(?:end|fin|完))?(?![\p{L}\p{N}])${RANGE}`,
  'giu',
)

/** Half episodes are recognised only in these forms: `12.5`, `26.5.1`; all other dots are spaces. */
const HALF = /(?<=\d)\.5(?:\.\d)?(?![\p{L}\p{N}])/gu

/**
 * The number that is most likely the episode number, or undefined. The score depends on the context: a dash before it and a bracket, a
 * tag or the end after it score highest; a single number between words counts only where one is expected.
 * @param name the name with its dots; all positions are equal to those in the text with spaces
 */
export function findBareNumber(name: string, context: NumberContext): BareNumber | undefined {
  let best: BareNumber | undefined
  let rangeEnd = 0
  const text = withHalves(name)
  for (const match of text.matchAll(NUMBER)) {
    if (match.index < Math.max(context.from, rangeEnd)) continue
    if (match.index > context.until && !isAloneInBracket(text, match)) break
    const found = read(text, match, context)
    if (!found.isLeading && match.index < (context.taken?.end ?? 0)) continue
    found.score = scoreEpisodeNumber(text, found, context)
    if (found.ending !== null && found.score > 0) rangeEnd = found.end
    if (found.score > (best?.score ?? 0)) best = found
  }
  return best
}

function withHalves(name: string): string {
  const halves = new Set([...name.matchAll(HALF)].flatMap(({ index, 0: half }) => [index, index + half.length - 2]))
  return name.replaceAll(/[._]/g, (mark, at: number) => (mark === '.' && halves.has(at) ? '.' : ' '))
}

function read(text: string, match: RegExpExecArray, context: NumberContext): BareNumber {
  const [all, first = '', , second, version = ''] = match
  const isRange = second !== undefined && isRangeEnd(text, match)
  const rangeLength = isRange
    ? text.slice(match.index + all.length).indexOf(second) + second.length + version.length
    : 0
  return {
    start: match.index,
    end: match.index + all.length + rangeLength,
    value: Number.parseFloat(first),
    ending: isRange ? Number(second) : null,
    digits: first.replace(/\..*/, '').length,
    isPadded: first.startsWith('0'),
    isLeading: text.slice(context.from, match.index).trim() === '',
    score: 0,
  }
}

/** `01-12`, `01+02` and `103.104` anywhere; `01 - 119` only before a bracket or the end, because a title may end or begin with a number. */
function isRangeEnd(text: string, match: RegExpExecArray): boolean {
  const [all, first = '', joint = '', second = ''] = match
  if (Number(second) <= Number(first)) return false
  if (joint === ' ') return first.length === 3 && Number(second) === Number(first) + 1
  if (joint.trim() === joint) return true
  const isCounted = joint.includes('~') || first.startsWith('0') || text.endsWith(' - ', match.index)
  const rest = text.slice(match.index + all.length + joint.length + second.length)
  return isCounted && /^ ?(?:$|[[(\])])/.test(rest)
}

function isAloneInBracket(text: string, match: RegExpExecArray): boolean {
  const [open, close] = [text[match.index - 1], text[match.index + match[0].length]]
  return (open === '[' && close === ']') || (open === '【' && close === '】')
}
