/**
 * Words that describe a release and not a film. All patterns match text in which dots and underscores have been replaced by spaces. They
 * consist of literals with at most one optional character in a row, so that no input makes them slow.
 */

const BEFORE = String.raw`(?<![\p{L}\p{N}])`
const AFTER = String.raw`(?![\p{L}\p{N}])`

const RESOLUTION = [
  String.raw`\d{3,4}[pi]`,
  String.raw`\d{3,4} ?[x×*] ?\d{3,4}`,
  '[48]k',
  'u-?hd',
  'ultra ?hd',
  'full ?hd',
  'hdc',
]

const CODEC = [
  '[hx][ -]?26[45]',
  'hevc(?:10)?',
  'avc',
  'xvid',
  'divx',
  'vc-?1',
  'vp9',
  'av1',
  'mpeg-?[24]',
  '(?:8|10|12)-?bits?',
  'hi10p?',
]

const SOURCE = [
  'blu-?ray(?:rip)?',
  '(?:bd|br|uhd|hd|dvd|web|tv|dsr|sat|dvb|vhs|hdtv|ppv|vod|cam|dtv|ld|ts|tc|web-?dl)[ -]?rip',
  '(?:bd|br|dvd|web|hdtv|hd|tv|sat|dl)-?(?:rip-?|re)?mux',
  'bd(?:25|50|9|5)',
  'dvd(?:scr|r|5|9)?',
  'hd-?dvd',
  'p?hdtv(?:[xh]26[45])?',
  'pdtv(?:[xh]26[45])?',
  'dsr',
  'web-?dl(?:[xh]26[45])?',
  'web-?hd',
  'hd ?light',
  'hd-?cam',
  'hd-?t[sc]',
  'telesync',
  'telecine',
  'screener',
  'workprint',
  'vhs',
  'remux',
  'hdr(?:10)?(?:plus)?',
  'sdr',
  'dolby ?vision',
  '(?:bt|rec)[ -]?(?:2020|709)',
  'hfr',
]

const SOUND = [
  'dts(?:-?(?:hd|es|x|ma))?',
  'e?-?ac-?3d?',
  'dd(?:p|-?ex)?',
  String.raw`dd[p+]?-?[1257] [01]`,
  'true-?hd',
  'atmos',
  'aac(?:2 0|5 1)?',
  'flac',
  'mp3',
  'lpcm',
  String.raw`\d{1,4}(?: \d)? ?[km]bps`,
  '[268]ch',
]

/** Episode numbers: in a film library they end a title like any other tag. */
const EPISODE = [
  String.raw`s\d{1,3} ?e\d{1,4}(?:-?e?\d{1,4})?`,
  String.raw`e\d{2,3}(?:-e\d{2,3})?`,
  String.raw`\d{1,2}x\d{2,3}`,
]

const SHAPE = ['(?:half-?|h-?|f-?)?sbs(?:3d)?', '(?:half-?|h-?|f-?)ou', '3d h?tab', 'htab']

/** `Film-x02-Making_Of`: number of an extra. */
const EXTRA = [String.raw`(?<=-)x\d{2}`]

const DISC = [String.raw`\d ?cds?`, String.raw`(?:cd|disc|disk) ?\d{1,2}(?:of\d{1,2})?`, String.raw`dvd ?\d{1,2}`]

/** In capitals these are tags; in mixed case they may be a word of a title (Cam, Web, Opus, The Line). */
const CAPITAL_TAGS = [
  'CAM',
  'TS',
  'TC',
  'WEB',
  'VOD',
  'BD',
  'HD',
  'OPUS',
  'PAL',
  'NTSC',
  'R[56]',
  'SCR',
  'PPV',
  'BRRIP',
  'REPACK',
]

const TAG = new RegExp(
  `${BEFORE}(?:${[...RESOLUTION, ...CODEC, ...SOURCE, ...SOUND, ...EPISODE, ...SHAPE, ...EXTRA, ...DISC].join('|')})${AFTER}`,
  'giu',
)
const CAPITAL_TAG = new RegExp(`${BEFORE}(?:${CAPITAL_TAGS.join('|')})${AFTER}`, 'gu')
const LEADING_TAG = new RegExp(`^(?:hd )?(?:${[...RESOLUTION, ...CODEC].join('|')})${AFTER}`, 'iu')

/** Position of the first release tag at or after `from`; the end of the text if there is none. */
export function findFirstReleaseTag(text: string, from: number): number {
  return Math.min(matchAt(TAG, text, from), isAllCapitals(text) ? text.length : matchAt(CAPITAL_TAG, text, from))
}

function matchAt(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** Length of a leading codec or resolution (`h265 - HEVC Riddick`); 0 if there is none. */
export function leadingTagLength(text: string): number {
  return LEADING_TAG.exec(text)?.[0].length ?? 0
}

/** Whether a text has no lower-case letters, so that capitals have no meaning. */
export function isAllCapitals(text: string): boolean {
  return text === text.toUpperCase()
}

/** Words after a title that are removed in any case. */
const TRAILING = new Set(
  `multi truefrench vf vff vfq vfi vo vost vostfr subforced subfrench dubbed subbed softsub repack rerip nfofix prooffix
  readnfo dirfix stv docu doku multisubs msubs esubs proof ita eng`.split(/\s+/),
)

/** Words that are removed after a title only if their capitals differ from the title. */
const TRAILING_CAPITALS = new Set(
  `complete internal proper real line md ld hq oar om retail custom hybrid untouched uncut restored dl dual fr en de es it
  nordic swesub hdc vu amzn nf dsnp hmax atvp cr final ws`.split(/\s+/),
)

/** Removed before a tag, in any case: languages, and the marker of a 3D film. */
const BEFORE_TAGS = new Set(
  `3d english french german italian spanish castellano latino portuguese brazilian russian polish czech hungarian dutch flemish
  danish swedish norwegian finnish greek turkish hindi telugu tamil malayalam kannada bengali punjabi korean japanese
  chinese mandarin cantonese arabic hebrew persian thai vietnamese romanian ukrainian ita eng fre ger spa rus jpn kor fr vf sub subs
  custom français deutsch español castellano italiano`.split(/\s+/),
)

const LANGUAGES =
  String.raw`english|eng|french|german|italian|ita|spanish|castellano|latino|portuguese|brazilian|russian|polish|czech|hungarian|hindi|telugu|tamil|` +
  String.raw`malayalam|kannada|korean|japanese|chinese|mandarin|cantonese|arabic|turkish|thai|dutch|greek|hebrew|persian|vietnamese|ukrainian`

/** `Dual Audio`, `English Dub`, `Hindi Dubbed`: combinations whose single words are ambiguous. */
const SPOKEN = new RegExp(
  String.raw`(?:^|[ ._-])(?:(?:dual|multi)[ ._-]?audio|(?:${LANGUAGES})[ ._-](?:dub|dubbed|sub|subbed|subs|audio)|dubbed)$`,
  'iu',
)

/** The position of words about the spoken language at the end of a title; its length if there are none. */
export function findSpokenLanguageWords(title: string): number {
  return SPOKEN.exec(title)?.index ?? title.length
}

export type TitleRegionEnd = 'tag' | 'bare_year' | 'enclosed_year' | 'end'

/**
 * Whether the last word before a cut is not part of the title. A language belongs to the release if a tag follows; if a year follows, a
 * language belongs to the release only in capitals (The Good German 2006, but My.Movie.GERMAN.2016).
 */
export function isTrailingNoise(word: string, title: string, cut: TitleRegionEnd): boolean {
  const lower = word.toLowerCase()
  const differsInCase = hasUnusualCapitals(word) && !isAllCapitals(title)
  if (lower.split('+').every((part) => TRAILING.has(part))) return true
  if (/^v[2-9]$/.test(word)) return cut !== 'end'
  if (TRAILING_CAPITALS.has(lower) && (differsInCase || (cut === 'tag' && word === lower && lower.length > 3)))
    return true
  return BEFORE_TAGS.has(lower) && (differsInCase || cut === 'tag')
}

/** `GERMAN` and `LiMiTED`, but not `German`. */
export function hasUnusualCapitals(word: string): boolean {
  return /\p{Lu}.*\p{Lu}/u.test(word)
}
