import { parseFurtherEpisodeNumbers } from './further-episode-numbers.ts'
import {
  WORD_END,
  WORD_START,
  EPISODE_WORDS,
  EPISODE_WORDS_AFTER,
  HAN_NUMBERS,
  parseNumberWord,
  SEASON_WORDS,
  SPELLED_NUMBERS,
} from '../text/number-words.ts'
import { firstMatch } from '../text/name-text.ts'
import { findFirstReleaseTag } from '../release/release-tags.ts'

/** The position of an explicit episode number in a name. Positions refer to the text with spaces for dots. */
export type EpisodeMarker = {
  start: number
  end: number
  season: number | null
  episode: number
  /** The last of several episodes in one file. */
  ending: number | null
  /** The word for specials before the number, in lower case: of `OVA 2`. */
  special?: string
}

/** `S01E02`, `s03-e01`, `S6 Ep5`, `S01xE02`, `S2 (Ep 6)`, `Se.3 afl.3`, Spanish `T02E22`; a capital S also directly after a word. */
const LETTERS = new RegExp(
  String.raw`(?:${WORD_START}(?:s|se |t(?=\d{1,2} ?e\d\d))|(?<=[\p{Ll}])S(?=\d\dE))([0o]?\d{1,4})[ ]?[-–]?[ ]?[(\[]?(?:(?<!-)x ?e?p?|e|ep|eps|afl|episode)[ .#-]{0,2}(\d{1,5})(?!\d)`,
  'giu',
)

/** `4x05`, `02x03`, `2009x02`, `2x04x05`, `06х01` (Cyrillic), also after a word; never 1920x1080 or 5.1x264. */
const CROSS = new RegExp(
  String.raw`(?:${WORD_START}|(?<=(?!x)\p{Ll})(?=\d{1,2}x\d\d))(\d{1,2}|(?:19[3-9]|20[0-3])\d)[xх](\d{1,3})(?:(?=[a-d]?(?![\p{L}\p{N}]))|(?=[xх]\d{1,2}(?!\d)))(?<!x26[45])`,
  'giu',
)

/** `[S2-07]`, `(S4-24)`: within brackets a dash is sufficient. */
const BRACKETED = /[[(]s(\d{1,2})-(\d{1,3})[\])]/gi

const EPISODE = new RegExp(
  String.raw`(?:${WORD_START}(?:${EPISODE_WORDS})[ :№#-]{0,3}|${WORD_START}e)(\d{1,5})(?:v\d)?(?:${WORD_END}|(?=e\d))`,
  'giu',
)
const EPISODE_SPELLED = new RegExp(String.raw`${WORD_START}(?:${EPISODE_WORDS}) (${SPELLED_NUMBERS})${WORD_END}`, 'giu')
const EPISODE_AFTER = new RegExp(
  String.raw`${WORD_START}第?(\d{1,4}) {0,2}(?:-?[а-я]{0,2} )?(?:${EPISODE_WORDS_AFTER})(?!\p{L})`,
  'giu',
)
/** `第5集`, `第十二話`, `제5화`, also within a word: these names have no spaces. */
const EPISODE_HAN = new RegExp(String.raw`[第제] ?(\d{1,4}|${HAN_NUMBERS}) ?(?:話|话|集|回|화|회)`, 'gu')
const COUNTED = new RegExp(
  String.raw`(?<!(?:${SEASON_WORDS}) ?)${WORD_START}(\d{1,2}) ?(?:of|iz|из) ?(\d{1,3})${WORD_END}(?: ep(?= \p{L}))?`,
  'giu',
)

/** `[Cap.201]`: season and number combined, as on Spanish sites. */
const CHAPTER = new RegExp(String.raw`${WORD_START}caa?p[ :-]{0,2}(\d{1,2})(\d\d)(?: (\d{1,2})(\d\d))?(?!\d)`, 'giu')

/** The explicit episode marker of a name, or undefined. Priority: season and episode in one marker, then words, then a single `E07`. */
export function findEpisodeMarker(text: string): EpisodeMarker | undefined {
  return paired(text, LETTERS) ?? paired(text, CROSS) ?? paired(text, BRACKETED) ?? markerInWords(text)
}

function paired(text: string, pattern: RegExp): EpisodeMarker | undefined {
  const match = firstMatch(text, pattern)
  if (match === null) return undefined
  const season = Number((match[1] ?? '').replace(/^[oO]/, '0'))
  const episode = Number(match[2])
  const more = parseFurtherEpisodeNumbers(text, match.index + match[0].length, episode)
  const end = more?.end ?? match.index + match[0].length
  return { start: match.index, end: end + countLength(text, end), season, episode, ending: more?.ending ?? null }
}

/** `a`, `v2`, ` of 24)` and a year ` - 1973]` after the number. */
function countLength(text: string, end: number): number {
  const count = /^(?:v\d|[a-d](?![\p{L}\p{N}]))?(?: of \d{1,3})?(?:(?: -)? (?:19|20)\d\d(?=[)\]]))?[)\]]?/iu.exec(
    text.slice(end, end + 16),
  )
  return count?.[0].length ?? 0
}

function markerInWords(text: string): EpisodeMarker | undefined {
  const chapter = firstMatch(text, CHAPTER)
  if (chapter !== null) return chapterMarker(chapter)
  const match =
    firstMatch(text, EPISODE) ??
    firstMatch(text, EPISODE_HAN) ??
    firstMatch(text, EPISODE_AFTER) ??
    firstMatch(text, COUNTED) ??
    firstMatch(text, EPISODE_SPELLED)
  const episode = parseNumberWord(match?.[1])
  if (match === null || episode === null) return undefined
  const end = match.index + match[0].length
  const more = parseFurtherEpisodeNumbers(text, end, episode)
  const last = more?.end ?? end
  return {
    start: match.index,
    end: last + countLength(text, last),
    season: null,
    episode,
    ending: more?.ending ?? null,
  }
}

/** `- 6.01 -`, `[5.134]`, `Episode 1.22`: these need the name with its dots, because dots are replaced by spaces elsewhere. */
const DOTTED = /(?<= - |\[|episode |season )(\d{1,2})\.(\d{2,3})(?=\.? ?(?: -|[\])(]|$))/giu

/** `Lost 1.05 Title`, below a season folder. */
const DOTTED_WORD = /(?<= )(\d{1,2})\.(\d{2})(?= |$)/gu

/** A season and an episode with a dot between them, in a name with its dots. */
export function findDottedMarker(name: string, hasSeason: boolean): EpisodeMarker | undefined {
  return paired(name, DOTTED) ?? (hasSeason ? paired(name, DOTTED_WORD) : undefined)
}

const PART = new RegExp(String.raw`${WORD_START}part[ -]?(\d{1,2}|${SPELLED_NUMBERS})${WORD_END}`, 'giu')

/** `Title.Part.2.HDTV` of a miniseries: only if release tags follow, because titles also have parts. */
export function findPartMarker(text: string): EpisodeMarker | undefined {
  const match = firstMatch(text, PART)
  const episode = parseNumberWord(match?.[1])
  if (match === null || match.index === 0 || episode === null) return undefined
  const end = match.index + match[0].length
  return findFirstReleaseTag(text, end) < Math.min(end + 2, text.length)
    ? { start: match.index, end, season: null, episode, ending: null }
    : undefined
}

function chapterMarker(match: RegExpExecArray): EpisodeMarker {
  const ending = match[4] === undefined ? null : Number(match[4])
  return {
    start: match.index,
    end: match.index + match[0].length,
    season: Number(match[1]),
    episode: Number(match[2]),
    ending,
  }
}
