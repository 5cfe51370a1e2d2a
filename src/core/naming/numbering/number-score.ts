/** A number without a marker in a name: `[Group] Title - 05`, `Title.117.hdtv`, `02 - Title`. */
export type BareNumber = {
  start: number
  end: number
  value: number
  /** The last number of a range. */
  ending: number | null
  digits: number
  isPadded: boolean
  /** Whether it is at the start of the name instead of after a title. */
  isLeading: boolean
  /** The confidence that it is an episode number, from 1 to 100. */
  score: number
}

export type NumberContext = {
  /** Where the title may begin, after groups and sites. */
  from: number
  /** Where the release tags begin. */
  until: number
  /** The season in the name: a number before it belongs to the title (`Series 100 S2 - 07`), unless it is leading. */
  taken: { start: number; end: number } | undefined
  /** Whether a fansub group precedes, or a season folder is above: then single numbers between words count. */
  isExpected: boolean
}

type Left = 'start' | 'dash' | 'hyphen' | 'bracket' | 'word'
type Right = 'alone' | 'dash' | 'word'

/** The confidence that a number is an episode number, by the text before and after it. */
const SCORES: Record<Left, Record<Right, number>> = {
  dash: { alone: 100, dash: 96, word: 70 },
  bracket: { alone: 95, dash: 0, word: 0 },
  start: { alone: 90, dash: 90, word: 65 },
  hyphen: { alone: 85, dash: 0, word: 0 },
  word: { alone: 80, dash: 75, word: 40 },
}

/** A single digit at the end may number a sequel. */
const LAST_DIGIT_SCORE = 55

/** The confidence that a number is an episode number, from 1 to 100; 0 for never. The text has spaces for dots. */
export function scoreEpisodeNumber(text: string, number: BareNumber, context: NumberContext): number {
  const before = text.slice(0, number.start)
  const after = text.slice(number.end)
  const isRange = number.ending !== null && before.endsWith('(') && after.startsWith(')')
  if (isLastParenthesis(number, before, after) && context.isExpected) return PARENTHESIS_SCORE
  if ((isInParentheses(before) && !isRange) || isYear(number, before, context)) return 0
  const left = leftOf(before, number, text[number.start] === '#')
  const right = rightOf(after, number.end >= context.until - 1)
  const score = SCORES[left][left === 'bracket' && /^[\]】]/.test(after) ? 'alone' : right]
  if (left === 'word' && right === 'alone' && number.digits === 1 && after === '') return LAST_DIGIT_SCORE
  return isPlausible(number, { left, right, after }, context) ? score : 0
}

/** `Title (12)`, which may also be a copy number. */
const PARENTHESIS_SCORE = 35

function isLastParenthesis({ digits }: BareNumber, before: string, after: string): boolean {
  return digits < 4 && before.endsWith('(') && after === ')'
}

function leftOf(before: string, { isLeading }: BareNumber, hasSign: boolean): Left {
  if (/[[【]$/.test(before)) return 'bracket'
  if (isLeading) return 'start'
  if (hasSign || / - ?$/.test(before)) return 'dash'
  return /\p{L}-$/u.test(before) ? 'hyphen' : 'word'
}

function rightOf(after: string, isBeforeRelease: boolean): Right {
  if (isBeforeRelease || /^ ?(?:$|[[【(])/.test(after)) return 'alone'
  return /^ ?- |^-(?=\p{L})/u.test(after) ? 'dash' : 'word'
}

type Surroundings = { left: Left; right: Right; after: string }

/** Numbers next to words may belong to a title (12 Monkeys, Area 51): they need an additional sign. */
function isPlausible(number: BareNumber, { left, right, after }: Surroundings, { isExpected }: NumberContext): boolean {
  if (left === 'hyphen') return number.digits > 1
  if (right !== 'word') return true
  if (left === 'start') return isExpected || number.isPadded || /^(?:\) | {2})/.test(after)
  return left !== 'word' || (number.digits > 1 && (isExpected || number.isPadded || number.digits === 3))
}

function isInParentheses(left: string): boolean {
  return left.lastIndexOf('(') > left.lastIndexOf(')')
}

/** `2012` is a year, unless a group numbers absolutely: `[Group] Title - 2012`. */
function isYear({ value, digits, ending }: BareNumber, left: string, { isExpected }: NumberContext): boolean {
  const looksLikeOne = digits === 4 && value >= 1900 && value < 2040 && ending === null
  return looksLikeOne && !(isExpected && / - ?$/.test(left))
}
