import { analyse } from 'chardet'
import { encodingOfByteOrderMark } from '../platform/files/index.ts'

/** Sample size: enough letters to distinguish encodings. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Common non-Unicode encodings of subtitles by language, the most common first. Choosing among these few is far more reliable than
 * choosing among all encodings.
 */
const ENCODINGS_BY_LANGUAGE: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'windows-1251 koi8-r iso-8859-5': 'ru uk be bg mk sr',
    'shift_jis euc-jp iso-2022-jp': 'ja',
    'gb18030 big5': 'zh',
    'euc-kr': 'ko',
    'windows-1253 iso-8859-7': 'el',
    'windows-1255 iso-8859-8': 'he',
    'windows-1256 iso-8859-6': 'ar fa ur',
    'windows-1254 iso-8859-9': 'tr az',
    'windows-1250 iso-8859-2': 'cs sk pl hu ro hr sl sq bs',
    'windows-1257': 'lt lv et',
    'windows-1258': 'vi',
    'windows-874': 'th',
    'windows-1252': 'en de fr es it pt nl sv da no nb nn fi is ga ca eu gl id ms',
  }).flatMap(([encodings, languages]) =>
    languages.split(' ').map((language) => [language, encodings.split(' ')] as const),
  ),
)

/**
 * Decodes a subtitle file. The encoding is determined by the byte order mark, by zero bytes (UTF-16), by validity as UTF-8, or by letter
 * statistics restricted to the encodings of the language. The mark is removed. Never throws.
 * @param language BCP 47 or `und`
 */
export function decodeSubtitle(bytes: Uint8Array, language: string): string {
  const wide = utf16Encoding(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    // Encodings that switch alphabets by escape sequences (ISO 2022) are also valid UTF-8.
    if (!hasEscapes(bytes)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The bytes are not valid UTF-8.
  }
  return new TextDecoder(guessEncoding(bytes.subarray(0, SAMPLE_BYTES), language)).decode(bytes)
}

/** Detects UTF-16 by its byte order mark, or by zeros in every other byte of ordinary text. */
function utf16Encoding(bytes: Uint8Array): string | undefined {
  const marked = encodingOfByteOrderMark(bytes)
  if (marked !== undefined && marked !== 'utf-8') return marked
  const head = bytes.subarray(0, 1000)
  const zeros = (parity: number): number => head.filter((byte, index) => byte === 0 && index % 2 === parity).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (Math.max(even, odd) * 5 < head.length) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

const ESCAPE = 0x1b

function hasEscapes(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SAMPLE_BYTES).includes(ESCAPE)
}

function guessEncoding(sample: Uint8Array, language: string): string {
  const likely = ENCODINGS_BY_LANGUAGE.get(language.split('-')[0] ?? '')
  const found = analyse(sample).map(({ name }) => name.toLowerCase())
  const guess = likely === undefined ? found[0] : (found.find((name) => likely.includes(name)) ?? likely[0])
  return guess !== undefined && isDecodable(guess) ? guess : 'windows-1252'
}

function isDecodable(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== 'replacement'
  } catch {
    return false
  }
}
