import { findEdition, mayEndInEdition, wordsWithPositions } from './editions.ts'
import { isTrailingNoise, findSpokenLanguageWords, type TitleRegionEnd } from './release-tags.ts'

/** The title of a name, and the editions in the order of the name. */
export type TitleRegion = { title: string; editions: string[] }

/**
 * Removes text that is not title from the end of a region, repeatedly: separators, brackets, editions, words of release groups. Never
 * removes everything: a film may be called Directors Cut.
 * @param cut the reason for the end of the region; it decides how likely a word belongs to the release
 */
export function trimTitleRegion(region: string, cut: TitleRegionEnd): TitleRegion {
  let title = region
  let reason = cut
  const editions: string[] = []
  for (;;) {
    const before = title
    title = trimSeparators(title)
    const step =
      withoutBracket(title, reason) ?? withoutSpoken(title) ?? withoutEdition(title) ?? withoutNoise(title, reason)
    if (step !== undefined) {
      title = step.title
      editions.unshift(...step.editions)
      // A removed word also ends the text before it: `Film GERMAN Extended`.
      if (reason === 'end') reason = 'tag'
    }
    if (title === before) return { title: spellOut(title), editions }
  }
}

const SEPARATORS_AFTER = ' ._-–—,:;+~|/\\([{【'
const SEPARATORS_BEFORE = ' ._-–—,;+~|/\\)]}】'

function trimSeparators(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SEPARATORS_BEFORE.includes(text[start] ?? '')) start += 1
  while (end > start && SEPARATORS_AFTER.includes(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

/**
 * `[字]` and bracketed editions are always removed; `(The Lincoln Lawyer)` is removed if a release name continues after it. In `(alias)
 * (2009)`, written by people, it stays.
 */
function withoutBracket(text: string, cut: TitleRegionEnd): TitleRegion | undefined {
  const opening = text.endsWith(']') ? '[' : text.endsWith('}') ? '{' : text.endsWith(')') ? '(' : undefined
  const start = opening === undefined ? -1 : text.lastIndexOf(opening)
  if (start <= 0 || !canStandAlone(text.slice(0, start))) return undefined
  const content = text.slice(start + 1, -1).replaceAll(/[._]/g, ' ')
  const edition = findEdition(content, true)
  const isRelease = cut === 'tag' || cut === 'bare_year'
  const isEmpty = content.trim() === '' || findSpokenLanguageWords(content) === 0 || /^dub$/i.test(content)
  if (opening === '(' && !isRelease && edition === undefined && !isEmpty) return undefined
  return {
    title: text.slice(0, start),
    editions: edition === undefined ? [] : [content.slice(edition.start, edition.end)],
  }
}

function withoutSpoken(title: string): TitleRegion | undefined {
  const rest = title.slice(0, findSpokenLanguageWords(title))
  return rest !== title && canStandAlone(rest) ? { title: rest, editions: [] } : undefined
}

function withoutEdition(title: string): TitleRegion | undefined {
  const text = title.replaceAll(/[._]/g, ' ')
  const run = mayEndInEdition(text) ? findEdition(text, false) : undefined
  if (run === undefined || /[\p{L}\p{N}]/u.test(text.slice(run.end)) || !canStandAlone(text.slice(0, run.start))) {
    return undefined
  }
  return { title: title.slice(0, run.start), editions: [text.slice(run.start, run.end)] }
}

function withoutNoise(title: string, cut: TitleRegionEnd): TitleRegion | undefined {
  const at = Math.max(...[' ', '.', '_', '-'].map((separator) => title.lastIndexOf(separator)))
  const rest = title.slice(0, Math.max(at, 0))
  const word = title.slice(at + 1)
  const isNoise = isTrailingNoise(word, rest, cut) || (cut === 'end' && isLanguageMark(word, rest))
  return isNoise && canStandAlone(rest) ? { title: rest, editions: [] } : undefined
}

/** `Love Gourou - FR` */
function isLanguageMark(word: string, rest: string): boolean {
  return /^[A-Z]{2}$/.test(word) && rest.endsWith(' -')
}

const ARTICLE = /^(?:the|a|an|der|die|das|le|la|les|il|el)$/i

/** Whether the rest of a title can be a complete title. */
function canStandAlone(title: string): boolean {
  const [first, second] = wordsWithPositions(title)
  return second !== undefined || (first !== undefined && !ARTICLE.test(first.word))
}

/**
 * The title in a region with a certain end, such as before `S01E02`: removes separators, an open bracket and groups in square brackets,
 * but no words.
 */
export function extractTitle(region: string): string {
  let title = trimSeparators(region)
  for (;;) {
    const before = title
    const start = title.endsWith(']') ? title.lastIndexOf('[') : -1
    if (start > 0) title = trimSeparators(title.slice(0, start))
    title = trimSeparators(title.replace(/(?<=.)\((?: *|dub|dubbed|[a-z]+ dub(?:bed)?|dual[ -]audio)\)$/i, ''))
    if (findSpokenLanguageWords(title) > 0) title = trimSeparators(title.slice(0, findSpokenLanguageWords(title)))
    if (/^[([]/.test(title) && !/[)\]]/.test(title)) title = trimSeparators(title.slice(1))
    if (title === before) return spellOut(title)
  }
}

/** Replaces dots and underscores by spaces. In a name with spaces the dots are kept (`Mr. Nobody`), and initials keep their dots. */
function spellOut(title: string): string {
  const isDotted = !title.includes(' ')
  const spaced = title.replaceAll('_', ' ')
  const words = (isDotted ? spaced.replaceAll('.', ' ') : spaced).trim().split(/\s+/)
  return (isDotted ? joinInitials(words) : words).join(' ')
}

/** `R I P D` was `R.I.P.D.` */
function joinInitials(words: string[]): string[] {
  const joined: string[] = []
  let initials: string[] = []
  for (const word of [...words, '']) {
    if (/^\p{Lu}$/u.test(word)) {
      initials.push(word)
      continue
    }
    if (initials.length > 1) joined.push(`${initials.join('.')}.`)
    else joined.push(...initials)
    initials = []
    if (word !== '') joined.push(word)
  }
  return joined
}
