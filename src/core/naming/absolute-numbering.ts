/** A number that stands in a name without a word for it: `[Group] Title - 05`, `Title.117.hdtv`, `02 - Title`. */
export type BareNumber = {
  start: number
  end: number
  value: number
  /** The last of a range. */
  ending: number | null
  digits: number
  isPadded: boolean
  /** Where it stands: in front of all, or behind a title. */
  isLeading: boolean
  /** How surely it counts episodes, from 1 to 100. */
  score: number
}

export type NumberContext = {
  /** Where the title may begin, behind groups and sites. */
  from: number
  /** Where the words of the release begin. */
  until: number
  /** A place that is taken already, such as that of `Season 3`. */
  taken: { start: number; end: number } | undefined
  /** Whether a fansub group stands in front, or a season folder above: then single numbers between words count. */
  isExpected: boolean
}

/** What may follow, looked at without taking it: the other end of a range, the mark of a last episode. */
const RANGE = String.raw`(?=(?:( ?[-~–] ?)(\d{1,4})(v\d)?(?![\p{L}\p{N}]))?)`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}])#?(\d{1,4}(?:\.5(?:\.\d)?)?)[a-d]?(?: ?v\d)?(?: ?(?:end|fin|完))?(?![\p{L}\p{N}])${RANGE}`,
  'giu',
)

/** A half counts as one only here: `12.5`, `26.5.1`; all other dots are spaces. */
const HALF = /(?<=\d)\.5(?:\.\d)?(?![\p{L}\p{N}])/gu

/**
 * The number that most likely counts the episode, or undefined. It is judged by what stands around it: a dash before and a
 * bracket, a tag or the end behind is the surest; a lonely number between words counts only where one is expected.
 * @param name the name with its dots; every place in it is that of the text with spaces
 */
export function findBareNumber(name: string, context: NumberContext): BareNumber | undefined {
  let best: BareNumber | undefined
  let rangeEnd = 0
  const text = withHalves(name)
  for (const match of text.matchAll(NUMBER)) {
    if (match.index < context.from || isTaken(match.index, context) || match.index < rangeEnd) continue
    if (match.index > context.until && !isAloneInBracket(text, match)) break
    const found = read(text, match, context)
    found.score = scoreOf(text, found, context)
    if (found.ending !== null && found.score > 0) rangeEnd = found.end
    if (found.score > (best?.score ?? 0)) best = found
  }
  return best
}

function isTaken(at: number, { taken }: NumberContext): boolean {
  return taken !== undefined && at >= taken.start && at < taken.end
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

/** `01-12` anywhere; `01 - 119` only before a bracket or the end, for a title may end or begin with a number. */
function isRangeEnd(text: string, match: RegExpExecArray): boolean {
  const [all, first = '', joint = '', second = ''] = match
  if (Number(second) <= Number(first)) return false
  if (joint.trim() === joint) return true
  const isCounted = joint.includes('~') || first.startsWith('0') || text.endsWith(' - ', match.index)
  const rest = text.slice(match.index + all.length + joint.length + second.length)
  return isCounted && /^ ?(?:$|[[(\])])/.test(rest)
}

function isAloneInBracket(text: string, match: RegExpExecArray): boolean {
  const [open, close] = [text[match.index - 1], text[match.index + match[0].length]]
  return (open === '[' && close === ']') || (open === '【' && close === '】')
}

type Left = 'start' | 'dash' | 'hyphen' | 'bracket' | 'word'
type Right = 'alone' | 'dash' | 'word'

/** How surely a number counts episodes, by what stands before and behind it. */
const SCORES: Record<Left, Record<Right, number>> = {
  dash: { alone: 100, dash: 96, word: 70 },
  bracket: { alone: 95, dash: 0, word: 0 },
  start: { alone: 90, dash: 90, word: 65 },
  hyphen: { alone: 85, dash: 0, word: 0 },
  word: { alone: 80, dash: 75, word: 40 },
}

/** A single digit at the very end may number a sequel. */
const LAST_DIGIT_SCORE = 55

function scoreOf(text: string, number: BareNumber, context: NumberContext): number {
  const before = text.slice(0, number.start)
  const behind = text.slice(number.end)
  const isRange = number.ending !== null && before.endsWith('(') && behind.startsWith(')')
  if (isLastParenthesis(number, before, behind) && context.isExpected) return PARENTHESIS_SCORE
  if ((isInParentheses(before) && !isRange) || isYear(number, before, context)) return 0
  const left = leftOf(before, number, text[number.start] === '#')
  const right = rightOf(behind, number.end >= context.until - 1)
  const score = SCORES[left][left === 'bracket' && /^[\]】]/.test(behind) ? 'alone' : right]
  if (left === 'word' && right === 'alone' && number.digits === 1 && behind === '') return LAST_DIGIT_SCORE
  return isPlausible(number, { left, right, behind }, context) ? score : 0
}

/** `Title (12)`, which may also be the mark of a copy. */
const PARENTHESIS_SCORE = 35

function isLastParenthesis({ digits }: BareNumber, before: string, behind: string): boolean {
  return digits < 4 && before.endsWith('(') && behind === ')'
}

function leftOf(before: string, { isLeading }: BareNumber, hasSign: boolean): Left {
  if (/[[【]$/.test(before)) return 'bracket'
  if (isLeading) return 'start'
  if (hasSign || / - ?$/.test(before)) return 'dash'
  return /\p{L}-$/u.test(before) ? 'hyphen' : 'word'
}

function rightOf(behind: string, isBeforeRelease: boolean): Right {
  if (isBeforeRelease || /^ ?(?:$|[[【(])/.test(behind)) return 'alone'
  return /^ ?- |^-(?=\p{L})/u.test(behind) ? 'dash' : 'word'
}

type Around = { left: Left; right: Right; behind: string }

/** Numbers that touch words may be words of a title (12 Monkeys, Area 51): they need a sign that they count. */
function isPlausible(number: BareNumber, { left, right, behind }: Around, { isExpected }: NumberContext): boolean {
  if (left === 'hyphen') return number.digits > 1
  if (right !== 'word') return true
  if (left === 'start') return isExpected || number.isPadded || /^(?:\) | {2})/.test(behind)
  return left !== 'word' || (number.digits > 1 && (isExpected || number.isPadded || number.digits === 3))
}

function isInParentheses(left: string): boolean {
  return left.lastIndexOf('(') > left.lastIndexOf(')')
}

/** `2012` is a year, unless a group counts that far: `[Group] Title - 2012`. */
function isYear({ value, digits, ending }: BareNumber, left: string, { isExpected }: NumberContext): boolean {
  const looksLikeOne = digits === 4 && value >= 1900 && value < 2040 && ending === null
  return looksLikeOne && !(isExpected && / - ?$/.test(left))
}
