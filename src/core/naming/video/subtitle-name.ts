import { parseLanguageWord } from '../text/language-word.ts'
import { normalizeName } from '../text/name-text.ts'

export type SubtitleName = {
  /** BCP 47, such as `en` or `pt-BR`; null if the name has none. */
  language: string | null
  title: string | null
  isDefault: boolean
  isForced: boolean
  /** `sdh`, `cc`, and `hi` beside a language. */
  isHearingImpaired: boolean
  /** The extension in lower case. */
  format: string
}

const FORMATS = /\.(srt|vtt|ass|ssa|sub|idx|smi|sup|ttml)$/i

/**
 * Parses the name of a subtitle file beside a video: `<video>[.<language>][.forced][.default][.sdh|.cc|.hi][.<title>].srt`, the words in
 * any order. `hi` is Hindi if there is no other language. Undefined for a file that is not a subtitle of this video. Verified with test
 * rows of Jellyfin's external path parser.
 * @param videoStem name of the video without its extension
 */
export function parseSubtitleName(fileName: string, videoStem: string): SubtitleName | undefined {
  const [name, video] = [normalizeName(fileName), normalizeName(videoStem)]
  const format = FORMATS.exec(name)?.[1]?.toLowerCase()
  if (format === undefined || !name.toLowerCase().startsWith(video.toLowerCase())) return undefined
  const rest = name.slice(video.length, -format.length - 1)
  if (rest !== '' && !/^[ ._-]/.test(rest)) return undefined
  return { ...readWords(rest.split(/[.]|(?<=^)[ _-]+/).filter((word) => word !== '')), format }
}

/** Reads the words from the last to the first: the last language is used, and unknown words form the title. */
function readWords(words: string[]): Omit<SubtitleName, 'format'> {
  const found: Omit<SubtitleName, 'format'> = {
    language: null,
    title: null,
    isDefault: false,
    isForced: false,
    isHearingImpaired: false,
  }
  const title: string[] = []
  for (const word of words.toReversed()) {
    if (!takeFlag(found, word.toLowerCase()) && !takeLanguage(found, word)) title.unshift(word)
  }
  return { ...found, title: title.length === 0 ? null : title.join('.') }
}

function takeFlag(found: Omit<SubtitleName, 'format'>, word: string): boolean {
  if (word === 'default') found.isDefault = true
  else if (word === 'forced' || word === 'foreign') found.isForced = true
  else if (word === 'sdh' || word === 'cc') found.isHearingImpaired = true
  else if (word === 'hi' && found.language !== null) found.isHearingImpaired = true
  else return false
  return true
}

function takeLanguage(found: Omit<SubtitleName, 'format'>, word: string): boolean {
  const language = parseLanguageWord(word)
  if (language === undefined) return false
  if (found.language === 'hi' && language !== 'hi') found.isHearingImpaired = true
  else if (found.language !== null) return false
  found.language = language
  return true
}
